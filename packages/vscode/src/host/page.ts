/** What the page is made of. */
export interface PageParts {
  /** Random for every page: only scripts that bear it run. */
  readonly nonce: string;
  /** Where the editor serves the extension's files from, as a source of the policy. */
  readonly source: string;
  readonly script: string;
  readonly style: string;
}

/** The chat's page: nothing is loaded but our own script, style, fonts and images, and nothing is sent anywhere. */
export function pageOf({ nonce, source, script, style }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loopfuse</title>
<link rel="stylesheet" href="${escaped(style)}">
</head>
<body>
<div id="app"></div>
<script type="module" nonce="${escaped(nonce)}" src="${escaped(script)}"></script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
