/** A sentence about the children that end with the old delegation: before it is revoked, or after. */
export function childrenText(children: readonly string[], when: 'before' | 'after'): string {
  const [only] = children
  if (only === undefined) return ''
  const names = children.join(', ')
  const verb =
    when === 'before'
      ? children.length === 1
        ? 'ends'
        : 'end'
      : children.length === 1
        ? 'has ended'
        : 'have ended'
  const whose = children.length === 1 ? `Its child ${names}` : `Its ${children.length} children (${names})`
  return when === 'before'
    ? `${whose} ${verb}, because the current delegation is revoked.`
    : `${whose} ${verb} with the old delegation.`
}
