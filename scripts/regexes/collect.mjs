import ts from 'typescript';

/**
 * The regular expressions in a source file: literals, and those made with `RegExp` from text that is known when the
 * file is read. What is made from anything else is given with `made`, the code that makes it, and without a source.
 */
export function regexesIn(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(source);
  const found = [];
  visit(source);
  return found;

  function visit(node) {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ line: lineOf(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isRegExpCall(node)) {
      const [pattern, flags] = node.arguments ?? [];
      if (pattern === undefined || !ts.isRegularExpressionLiteral(pattern)) {
        const known = textOf(pattern, constants);
        const given = flags === undefined ? '' : textOf(flags, constants);
        found.push(
          known === undefined || given === undefined
            ? { line: lineOf(node), made: node.getText(source) }
            : { line: lineOf(node), source: known, flags: given },
        );
      }
    }
    ts.forEachChild(node, visit);
  }

  function lineOf(node) {
    return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  }
}

function isRegExpCall(node) {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'RegExp'
  );
}

/** The `const` declarations at the top of the file, by name. */
function constantsOf(source) {
  const constants = new Map();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer);
  }
  return constants;
}

/** The text that an expression stands for, if that is plain from the file alone. */
function textOf(node, constants) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return textOf(constants.get(node.text), constants);
  if (ts.isTemplateExpression(node)) return templateText(node, (part) => part.text, constants);
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') {
    const raw = (part) => part.rawText ?? part.text;
    return ts.isTemplateExpression(node.template) ? templateText(node.template, raw, constants) : raw(node.template);
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left, constants), textOf(node.right, constants)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return undefined;
}

function templateText(template, read, constants) {
  let text = read(template.head);
  for (const { expression, literal } of template.templateSpans) {
    const inner = textOf(expression, constants);
    if (inner === undefined) return undefined;
    text += inner + read(literal);
  }
  return text;
}
