import { parseAst } from 'rolldown/parseAst'

/** A name in a source file, and its offset. */
export type Identifier = { readonly name: string; readonly start: number }

/** Every identifier of a TypeScript source, declared or used. Names in comments and strings are not identifiers. */
export function identifiersIn(path: string, text: string): Identifier[] {
  const found: Identifier[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (isIdentifier(node)) found.push(node)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts', sourceType: 'module' }, path))
  return found
}

function isIdentifier(node: object): node is Identifier {
  return (
    'type' in node &&
    ['Identifier', 'PrivateIdentifier', 'JSXIdentifier'].includes(String(node.type)) &&
    'name' in node
  )
}
