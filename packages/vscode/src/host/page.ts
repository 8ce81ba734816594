/** The parts of the page. */
export interface PageParts {
  /** Random for every page. Only scripts with this nonce run. */
  readonly nonce: string;
  /** The source from which the editor serves the extension's files, for the content security policy. */
  readonly source: string;
  readonly script: string;
  readonly style: string;
}

/** The chat's page. It can load only our own script, style, fonts and images, and cannot connect to anything. */
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
