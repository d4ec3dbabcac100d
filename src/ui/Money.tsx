import { formatCents } from '#src/shared/money.ts'

/** Cents as a person reads them. `tone` colors only what needs eyes; nothing is a dash. */
export const Money = ({
  cents,
  tone,
  whole,
}: {
  cents: number | null | undefined
  tone?: 'late' | 'done' | undefined
  whole?: boolean
}) => {
  if (cents === null || cents === undefined) return <span className="hint">–</span>
  const text = whole
    ? `${cents < 0 ? '-' : ''}$${Math.round(Math.abs(cents) / 100).toLocaleString('en-US')}`
    : formatCents(cents)
  return (
    <span className="num" style={tone ? { color: tone === 'late' ? 'var(--rust)' : 'var(--blade-text)' } : undefined}>
      {text}
    </span>
  )
}
