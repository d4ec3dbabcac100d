import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { type Invoice, invoicesApi } from '../../contract.ts'
import { invoiceName } from '../../rules.ts'
import { useSettleFee, useWaiveFee } from '../../web/data.ts'
import { InDialog, ReasonFields } from '../../web/ReasonDialog.tsx'
import { useOnce } from '../../web/useOnce.ts'
import { restsBecause } from '../rules.ts'

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

type Resting = Pick<Invoice, 'id' | 'number' | 'can' | 'reminders' | 'customer'>

/** What to look at before a resting fee is charged. */
const FirstThen = ({ invoice: { customer, reminders } }: { invoice: Resting }) => {
  switch (restsBecause(reminders.stopped)) {
    case 'unreached':
      return (
        <>
          <LinkTo href={linkTo.customer(customer.id)}>Correct the address</LinkTo>, then send it again: its days of
          grace begin when it reaches them.
        </>
      )
    case 'unknown':
      return <>Ask them, or send it again: its days of grace begin when it reaches them.</>
    case 'paid':
      return <>Look at what came below, and ask whether the rest is on its way.</>
    default:
      return (
        <>
          <LinkTo href={linkTo.customer(customer.id, { part: 'messages' })}>Read their message</LinkTo> first.
        </>
      )
  }
}

/** A late fee that rests because the customer answered, or never got the invoice: charged or let go, in one press. */
export const RestingFee = ({ invoice }: { invoice: Resting }) => {
  const settle = useSettleFee(invoice.id)
  const once = useOnce()
  const { restingFeeCents: cents, stopped } = invoice.reminders
  if (!invoice.can.settleFee || cents === null) return null
  const name = invoiceName(invoice.number)
  const run = (charge: boolean) =>
    once(() =>
      settle.mutateAsync(charge).then(
        () =>
          toast.success(
            charge ? `${formatCents(cents)} is charged for paying ${name} late` : `${name} costs no late fee`,
          ),
        (error) => toast.error(error),
      ),
    )
  const isRunning = (charge: boolean) => settle.isPending && settle.variables === charge
  return (
    <Banner
      tone="warn"
      title={`The late fee of ${formatCents(cents)} waits for you.`}
      action={
        <>
          <Button
            calls={invoicesApi.settleFee}
            size="s"
            loading={isRunning(true)}
            disabled={settle.isPending}
            onClick={() => run(true)}
          >
            Charge {formatCents(cents)}
          </Button>
          <Button
            calls={invoicesApi.settleFee}
            size="s"
            kind="quiet"
            loading={isRunning(false)}
            disabled={settle.isPending}
            onClick={() => run(false)}
          >
            Let it go
          </Button>
        </>
      }
    >
      {stopped}. <FirstThen invoice={invoice} /> Charged, {invoice.customer.name} is told of it and reminders leave
      again; let go, {name} costs no late fee until you start its reminders again.
    </Banner>
  )
}

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
