/** Keys of the office, in the order of the map that `?` shows. */
export const shortcuts = [
  { keys: ['Ctrl', 'K'], label: 'Find anything, do anything' },
  { keys: ['G', 'D'], label: 'Go to the dashboard', go: '/dashboard' },
  { keys: ['G', 'C'], label: 'Go to customers', go: '/customers' },
  { keys: ['G', 'J'], label: 'Go to jobs', go: '/jobs?tab=manage' },
  { keys: ['G', 'R'], label: 'Go to routes', go: '/route-map' },
  { keys: ['G', 'I'], label: 'Go to invoices', go: '/jobs?tab=invoices' },
  { keys: ['G', 'E'], label: 'Go to employees', go: '/employees' },
  { keys: ['N'], label: 'The main thing of this screen' },
  { keys: ['J'], label: 'Next record, in an open panel' },
  { keys: ['K'], label: 'Previous record, in an open panel' },
  { keys: ['?'], label: 'This map' },
] as const satisfies readonly { keys: readonly string[]; label: string; go?: string }[]

export type KeyPress = { key: string; ctrl: boolean; meta: boolean; alt: boolean; typing: boolean; at: number }
export type KeyAction = { map: true } | { main: true } | { go: string }

const chordMs = 1_200

/** Turns key presses into what they ask for; nothing while somebody types. Ctrl/Cmd+K is the palette's own. */
export const keyReader = () => {
  let startedAt = Number.NEGATIVE_INFINITY
  return ({ key, ctrl, meta, alt, typing, at }: KeyPress): KeyAction | null => {
    if (ctrl || meta || alt || typing) return null
    const inChord = at - startedAt < chordMs
    startedAt = Number.NEGATIVE_INFINITY
    if (inChord) {
      const found = shortcuts.find((s) => s.keys[0] === 'G' && s.keys[1] === key.toUpperCase())
      return found && 'go' in found ? { go: found.go } : null
    }
    if (key === 'g' || key === 'G') startedAt = at
    if (key === '?') return { map: true }
    if (key === 'n' || key === 'N') return { main: true }
    return null
  }
}
