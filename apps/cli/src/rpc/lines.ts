import type { Socket } from 'node:net'

/** Reads lines from a socket. After a line of more than `most` characters it calls `onTooLong` and stops reading. */
export function readLines(
  socket: Socket,
  most: number,
  { onLine, onTooLong }: { readonly onLine: (line: string) => void; readonly onTooLong: () => void },
): void {
  let parts: string[] = []
  let length = 0
  let isOver = false
  socket.setEncoding('utf8').on('data', (chunk) => {
    if (isOver) return
    const [head = '', ...rest] = `${chunk}`.split('\n')
    parts.push(head)
    length += head.length
    for (const next of rest) {
      if (length <= most) onLine(parts.join(''))
      parts = [next]
      length = next.length
    }
    if (length > most) {
      isOver = true
      onTooLong()
    }
  })
}
