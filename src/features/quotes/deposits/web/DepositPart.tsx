import { useState } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { lazyPart } from '../../../../ui/lazyAhead.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { methodNames, receiptName } from '../../../invoices/papers/rules.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { correctionsApi } from '../../../payments/corrections/contract.ts'
import type { QuoteRecord } from '../../contract.ts'
import { quoteName } from '../../rules.ts'
import { useKeepDeposit } from '../../web/data.ts'
import { quoteDepositsApi } from '../contract.ts'

const RecordQuoteDeposit = lazyPart(() => import('./RecordQuoteDeposit.tsx').then((m) => m.RecordQuoteDeposit))

type Asked = 'record' | 'keep' | null

const Left = ({ quote, onAsk }: { quote: QuoteRecord; onAsk: (asked: Asked) => void }) => (
  <Banner
    tone="warn"
    title={`${formatCents(quote.deposit?.restCents ?? 0)} of the deposit is still here`}
    action={
      <span className="qt-ways">
        {quote.depositCan.refund ? (
          <Button
            size="s"
            calls={correctionsApi.refundPayment}
            href={linkTo.customer(quote.customer.id, { part: 'invoices' })}
          >
            Give it back
          </Button>
        ) : null}
        {quote.depositCan.keep ? (
          <Button size="s" calls={quoteDepositsApi.keep} onClick={() => onAsk('keep')}>
            Keep as their credit
          </Button>
        ) : null}
      </span>
    }
  >
    {quote.jobs.length > 0
      ? `All work of ${quoteName(quote.number)} is over, so it goes on no invoice by itself.`
      : `${quoteName(quote.number)} came to nothing, so it goes on no invoice by itself.`}
  </Banner>
)

/** How the deposit of a quote stands, and what the office does with it. */
export const DepositPart = ({ quote }: { quote: QuoteRecord }) => {
  const [asked, setAsked] = useState<Asked>(null)
  const keep = useKeepDeposit()
  const close = () => setAsked(null)
  const { deposit, depositCan, depositUses } = quote
  if (!deposit && !depositCan.record) return null
  return (
    <section>
      <h3>Deposit</h3>
      {depositCan.record ? (
        <Banner
          tone="warn"
          title={`${formatCents(quote.depositCents)} is not paid yet`}
          action={
            <Button size="s" calls={quoteDepositsApi.record} onClick={() => setAsked('record')}>
              Record it as paid
            </Button>
          }
        >
          It was agreed to with the signature. Paid by card on the quote’s page it stands here by itself.
        </Banner>
      ) : null}
      {deposit ? (
        <p>
          {formatCents(deposit.amountCents)} by {methodNames[deposit.method].toLowerCase()} on{' '}
          {formatDay(deposit.receivedOn, { year: true })}
          {deposit.receiptNumber === null ? '' : `, ${receiptName(deposit.receiptNumber)}`}.
          {deposit.refundedCents > 0 ? ` ${formatCents(deposit.refundedCents)} went back.` : ''}
          {depositUses.pays.map(({ id, number, cents }, at) => (
            <span key={id}>
              {` ${formatCents(cents)}${at === 0 ? ' of it' : ''} paid `}
              <LinkTo href={linkTo.invoice(id)}>{invoiceName(number)}</LinkTo>.
            </span>
          ))}
          {depositUses.pays.length > 0 && depositUses.restCents > 0
            ? ` ${formatCents(depositUses.restCents)} is left.`
            : ''}
          {deposit.kept && depositUses.restCents > 0 ? ' It is kept as the customer’s credit.' : ''}{' '}
          <LinkTo href={linkTo.customer(quote.customer.id, { part: 'invoices' })}>Their payments</LinkTo>
        </p>
      ) : null}
      {depositCan.keep || depositCan.refund ? <Left quote={quote} onAsk={setAsked} /> : null}
      {depositCan.record ? <RecordQuoteDeposit quote={quote} open={asked === 'record'} onClose={close} /> : null}
      <ConfirmDialog
        open={asked === 'keep'}
        onClose={close}
        title={`Keep ${formatCents(deposit?.restCents ?? 0)} as credit of ${quote.customer.name}?`}
        confirmLabel="Keep as credit"
        onConfirm={async () => {
          await keep.mutateAsync(quote.id)
          toast.success('It is their credit now')
        }}
      >
        It can pay any of their invoices, and can still be given back later.
      </ConfirmDialog>
    </section>
  )
}
