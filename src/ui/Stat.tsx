import type { CSSProperties, ReactNode } from 'react'
import { LinkTo } from './LinkTo.tsx'
import './Stat.css'

type Props = {
  label: ReactNode
  value: ReactNode
  /** The line that makes the number mean something: "41% less than in booked order". */
  note?: ReactNode
  tone?: 'good' | 'bad' | 'plain'
  /** The list behind the number. */
  href?: string
  chart?: ReactNode
}

/** A sum of more letters than a narrow tile holds is set smaller there, never broken over two lines. */
const SUM_LETTERS = 9

const Value = ({ value }: { value: ReactNode }) =>
  typeof value === 'string' && value.length > SUM_LETTERS && !value.includes(' ') ? (
    <span className="ui-stat__value ui-stat__value--long num">
      <span style={{ '--letters': value.length } as CSSProperties}>{value}</span>
    </span>
  ) : (
    <span className="ui-stat__value num">{value}</span>
  )

/** One number that matters; the whole tile leads to the list behind it. */
export const Stat = ({ label, value, note, tone = 'plain', href, chart }: Props) => {
  const inside = (
    <>
      <span className="ui-stat__label">{label}</span>
      <Value value={value} />
      {note ? <span className={`ui-stat__note is-${tone}`}>{note}</span> : null}
      {chart ? <span className="ui-stat__chart">{chart}</span> : null}
    </>
  )
  return href ? (
    <LinkTo href={href} className="ui-stat ui-stat--link">
      {inside}
    </LinkTo>
  ) : (
    <div className="ui-stat">{inside}</div>
  )
}
