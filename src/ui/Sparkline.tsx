type Props = {
  values: readonly number[]
  label: string
  width?: number
  height?: number
  tone?: 'plain' | 'good' | 'bad'
}

/** The shape of a number over time, beside the number. */
export const Sparkline = ({ values, label, width = 84, height = 26, tone = 'plain' }: Props) => {
  if (values.length < 2) return null
  const low = Math.min(...values)
  const range = Math.max(...values) - low || 1
  const points = values.map(
    (value, index) =>
      [2 + (index / (values.length - 1)) * (width - 6), 3 + (1 - (value - low) / range) * (height - 6)] as const,
  )
  const last = points[points.length - 1] ?? [0, 0]
  const color = tone === 'good' ? 'var(--blade)' : tone === 'bad' ? 'var(--rust)' : 'var(--ink-3)'
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
      style={{ display: 'block', maxWidth: '100%' }}
    >
      <polyline
        points={points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke={color}
        strokeWidth="1.8"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx={last[0]} cy={last[1]} r="2.6" fill={color} />
    </svg>
  )
}
