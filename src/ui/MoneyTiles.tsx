import { daysToPayLabel, daysToPayWindow } from '../shared/days-to-pay.ts'
import { linkTo } from '../shared/links.ts'
import { formatCents } from '../shared/money.ts'
import { Stat } from './Stat.tsx'
import { StatRow } from './StatRow.tsx'

type Props = {
  owedCents: number
  /** What stands below what is owed. */
  owedNote: string
  overdueCents: number
  overdueNote: string
  /** Null where nothing was paid lately. */
  daysToPay: number | null
  daysNote?: string | undefined
  /** Only this customer's. */
  customerId?: string
}

/** What is owed, what of it is overdue, and how long paying takes; each opens exactly the invoices it is made of. */
export const MoneyTiles = ({ owedCents, owedNote, overdueCents, overdueNote, daysToPay, daysNote, ...of }: Props) => {
  const list = (view: string) => linkTo.invoices({ view, ...of })
  return (
    <StatRow>
      <Stat label="Owed to you" value={formatCents(owedCents)} href={list('open')} note={owedNote} />
      <Stat
        label="Overdue"
        value={formatCents(overdueCents)}
        href={list('overdue')}
        note={overdueNote}
        tone={overdueCents > 0 ? 'bad' : 'good'}
      />
      <Stat
        label="Days to pay"
        value={daysToPay === null ? '–' : daysToPayLabel(daysToPay)}
        href={list('paid_lately')}
        note={
          daysToPay === null
            ? `nothing was paid in the last ${daysToPayWindow} days`
            : (daysNote ?? `from issue to paid, last ${daysToPayWindow} days`)
        }
      />
    </StatRow>
  )
}
