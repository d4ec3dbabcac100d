import { counted } from '../../../shared/counted.ts'
import { formatCents } from '../../../shared/money.ts'

/** What the office is told of invoices that were made automatically. */

export type AutomaticRun = {
  send: boolean
  invoiceCount: number
  totalCents: number
  /** Issued, and neither a mail nor a text carries them. */
  unmailedCount: number
  /** Planned and not made, because the work or its price changed meanwhile. */
  changedCount: number
  noPriceCount: number
  onHoldCount: number
  /** More waits than one batch holds. */
  more: boolean
}

/** "12 invoices totaling $640.00 were made and sent automatically", with what was left out; null where there is nothing to say. */
export const reportOf = (run: AutomaticRun): { title: string; content: string } | null => {
  const { noPriceCount, onHoldCount, unmailedCount, changedCount } = run
  const are = (n: number) => (n === 1 ? 'is' : 'are')
  const left = [
    unmailedCount > 0
      ? `${counted(unmailedCount, 'invoice')} that no mail and no text carries: print ${unmailedCount === 1 ? 'it' : 'them'}.`
      : '',
    noPriceCount > 0 ? `${counted(noPriceCount, 'visit')} left out without a price.` : '',
    onHoldCount > 0 ? `${counted(onHoldCount, 'visit')} left out on hold.` : '',
    changedCount > 0 ? `${counted(changedCount, 'invoice')} not made, because the work changed meanwhile.` : '',
    run.more ? 'More waits than one batch holds: invoice the rest by hand.' : '',
  ].filter(Boolean)
  if (run.invoiceCount === 0)
    return noPriceCount > 0 || changedCount > 0
      ? { title: 'No automatic invoice was made: what is finished waits for you', content: left.join(' ') }
      : null
  const made = `${counted(run.invoiceCount, run.send ? 'invoice' : 'draft')} totaling ${formatCents(run.totalCents)}`
  return {
    title: `${made} ${run.invoiceCount === 1 ? 'was' : 'were'} made${run.send ? ' and sent' : ''} automatically`,
    content: [
      run.send ? '' : `${counted(run.invoiceCount, 'draft')} ${are(run.invoiceCount)} to be looked over and sent.`,
      ...left,
    ]
      .filter(Boolean)
      .join(' '),
  }
}
