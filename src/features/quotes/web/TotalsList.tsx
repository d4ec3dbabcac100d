import { formatCents } from '../../../shared/money.ts'
import { rateLabel } from '../../invoices/papers/rules.ts'
import { frequencyLabel, type QuoteTotals } from '../rules.ts'

const Row = ({ label, cents, strong = false }: { label: string; cents: number; strong?: boolean }) => (
  <div className={strong ? 'is-strong' : undefined}>
    <dt>{label}</dt>
    <dd>{formatCents(cents)}</dd>
  </div>
)

/** The sums of a quote, as its customer sees them. */
export const TotalsList = ({ totals }: { totals: QuoteTotals }) => (
  <dl className="qt-sums num" aria-live="polite">
    {totals.discountCents || totals.densityCents || totals.taxCents ? (
      <Row label="Subtotal" cents={totals.subtotalCents} />
    ) : null}
    {totals.discountCents ? <Row label="Discount" cents={-totals.discountCents} /> : null}
    {totals.densityCents ? <Row label="Close to a route" cents={-totals.densityCents} /> : null}
    {totals.taxes.map((tax) => (
      <Row key={`${tax.name}:${tax.ratePercent}`} label={rateLabel(tax)} cents={tax.taxCents} />
    ))}
    <Row label="Total" cents={totals.totalCents} strong />
    {totals.perVisit.map(({ frequency, cents }) => (
      <Row
        key={frequency}
        label={`A visit ${frequencyLabel[frequency]}${totals.taxCents ? ', with tax' : ''}`}
        cents={cents}
      />
    ))}
    {totals.depositCents ? <Row label="Deposit on signing" cents={totals.depositCents} /> : null}
  </dl>
)
