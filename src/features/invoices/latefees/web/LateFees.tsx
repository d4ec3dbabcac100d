import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import type { Invoice } from '../../contract.ts'
import { invoiceName } from '../../rules.ts'
import { useWaiveFee } from '../../web/data.ts'
import { InDialog, ReasonFields } from '../../web/ReasonDialog.tsx'

/** What was charged for paying an invoice late; and where it is such a fee itself, which one was late. */
export const LateFees = ({ invoice: { lateFees, lateFeeFor } }: { invoice: Invoice }) => (
  <>
    {lateFeeFor ? (
      <p className="hint">
        A late fee: <LinkTo href={linkTo.invoice(lateFeeFor.id)}>{invoiceName(lateFeeFor.number)}</LinkTo> was not paid
        in time.
      </p>
    ) : null}
    {lateFees.length > 0 ? (
      <section>
        <h3>{lateFees.length === 1 ? 'Late fee' : 'Late fees'}</h3>
        <ul className="panel-rows">
          {lateFees.map((fee) => (
            <li key={fee.id}>
              <span className="panel-rows__main">
                <LinkTo href={linkTo.invoice(fee.id)}>
                  <b>{invoiceName(fee.number)}</b>
                </LinkTo>
                <span className="muted">
                  {formatDay(fee.onDay, { year: true })}
                  {fee.waivedReason ? `, waived: ${fee.waivedReason}` : ''}
                </span>
              </span>
              <span className="panel-rows__side num">
                {formatCents(fee.amountCents)}
                {fee.waivedReason ? (
                  <Badge>Waived</Badge>
                ) : fee.openCents > 0 ? (
                  <Badge tone="wait">Open</Badge>
                ) : (
                  <Badge tone="done">Settled</Badge>
                )}
              </span>
            </li>
          ))}
        </ul>
      </section>
    ) : null}
  </>
)

/** A late fee is let go, in one press. */
export const WaiveFee = ({ invoice, open, onClose }: { invoice: Invoice; open: boolean; onClose: () => void }) => {
  const waive = useWaiveFee(invoice.id)
  const name = invoiceName(invoice.number)
  return (
    <InDialog open={open} onClose={onClose} title={`Waive the late fee ${name}?`}>
      <ReasonFields
        intro={`${invoice.customer.name} does not owe the ${formatCents(invoice.balanceCents)} any more: ${name} is voided. The same fee is not charged again.`}
        label="Waive the late fee"
        placeholder="Goodwill"
        begin="Goodwill"
        verb={`Waive ${formatCents(invoice.balanceCents)}`}
        onSend={async (reason) => {
          await waive.mutateAsync(reason)
          return `The late fee ${name} is waived`
        }}
        onClose={onClose}
      />
    </InDialog>
  )
}
