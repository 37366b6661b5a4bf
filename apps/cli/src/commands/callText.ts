/** A transaction as text, to send from any wallet. */
export function callText({ to, data }: { readonly to: string; readonly data: string }): string {
  return `to    ${to}\nvalue 0\ndata  ${data}`
}
