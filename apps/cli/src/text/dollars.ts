/** Cents as dollars, with thousands separators. */
export function dollars(cents: bigint | string): string {
  const [whole = '0', part = '00'] = (Number(cents) / 100).toFixed(2).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`
}
