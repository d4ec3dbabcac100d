import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { paths } from '../../../shared/paths.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import {
  IconArrowBackUp,
  IconBell,
  IconCalendar,
  IconCash,
  IconCoins,
  IconDownload,
  IconExternalLink,
  IconFileText,
  IconMail,
  IconPencil,
  IconReceiptRefund,
  IconSend,
  IconTrash,
  IconX,
} from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart, useAhead } from '../../../ui/lazyAhead.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useToday, useTour, useUser } from '../../accounts/web/session.ts'
import { isReached, reachWords } from '../../messages/paperways/rules.ts'
import { troubleWords } from '../../messages/rules.ts'
import { DisputesOf } from '../../payments/disputes/web/DisputesOf.tsx'
import { type Invoice, invoicesApi } from '../contract.ts'
import { LateFees, RestingFee, WaiveFee } from '../latefees/web/LateFees.tsx'
import { pendingWords } from '../pending/rules.ts'
import { billLines, invoiceName, isOpen } from '../rules.ts'
import { AtIssue, toPayAtIssue } from './AtIssue.tsx'
import { downloadPdf, invoiceQuery, useInvoiceVerb, useSetReminders, useVoid, type Verb } from './data.ts'
import { InvoiceLines } from './InvoiceLines.tsx'
import { InvoiceState } from './InvoiceState.tsx'
import { CreditInvoice, WriteOff } from './MoneyDialogs.tsx'
import { PaymentRows, RefundRows } from './PaymentRows.tsx'
import { RecordPayment } from './RecordPayment.tsx'
import { PromiseToPay, ReminderLine, StopReminders } from './Reminders.tsx'
import { RemindQuestion } from './RemindQuestion.tsx'
import { timelineOf, whereDepositsAre } from './timeline.ts'
import { CreditThere, UseCredit } from './UseCredit.tsx'
import { useOnce } from './useOnce.ts'
import { VoidInvoice } from './VoidInvoice.tsx'

const ChangeDraft = lazyPart(() => import('./NewInvoice.tsx').then((m) => m.ChangeDraft))
const MakeAgain = lazyPart(() => import('./NewInvoice.tsx').then((m) => m.MakeAgain))

type Props = {
  id: string
  onClose: () => void
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

const done: Record<Verb, (invoice: Invoice) => string> = {
  send: (i) => `${invoiceName(i.number)} is on its way to ${reachWords(i.reach, formatPhone)}`,
  issue: (i) => `${invoiceName(i.number)} is issued, due ${i.dueOn ? formatDay(i.dueOn) : 'now'}`,
  remind: (i) => `Reminder on its way to ${i.customer.name}`,
  reinstate: (i) => `${invoiceName(i.number)} is open again over ${formatCents(i.balanceCents)}`,
}

/** What is asked in a dialog before it is done. */
type Question =
  | 'void'
  | 'pay'
  | 'edit'
  | 'useCredit'
  | 'credit'
  | 'writeOff'
  | 'promise'
  | 'stopReminders'
  | 'waiveFee'
  | 'makeAgain'

const Actions = ({ invoice, onAsk }: { invoice: Invoice; onAsk: (question: Question) => void }) => {
  const verb = useInvoiceVerb(invoice.id)
  const setReminders = useSetReminders(invoice.id)
  const once = useOnce()
  const [reminding, setReminding] = useState(false)
  const run = (name: Verb) =>
    once(() =>
      verb.mutateAsync(name).then(
        (next) => toast.success(done[name](next)),
        (error) => toast.error(error),
      ),
    )
  const name = invoiceName(invoice.number)
  const { can } = invoice
  const draft = invoice.status === 'draft'
  const toPayCents = toPayAtIssue(invoice)
  // a late fee is let go in one way, with its reason: as waived
  const voidable = can.void && !can.waiveFee
  const running = (one: Verb) => verb.isPending && verb.variables === one
  return (
    <>
      {can.send && draft ? (
        <Button kind="primary" icon={<IconSend />} loading={running('send')} onClick={() => run('send')}>
          {toPayCents < invoice.totalCents
            ? `Send, ${formatCents(toPayCents)} to pay`
            : `Send for ${formatCents(invoice.totalCents)}`}
        </Button>
      ) : null}
      {can.issue && !can.send ? (
        <Button icon={<IconFileText />} loading={running('issue')} onClick={() => run('issue')}>
          Issue on paper
        </Button>
      ) : null}
      {can.pay && !draft ? (
        <Button kind="primary" icon={<IconCash />} onClick={() => onAsk('pay')}>
          Record payment
        </Button>
      ) : null}
      {can.edit ? (
        <Button calls={invoicesApi.change} icon={<IconPencil />} onClick={() => onAsk('edit')}>
          Change
        </Button>
      ) : null}
      {can.makeAgain ? (
        <Button calls={invoicesApi.create} icon={<IconFileText />} onClick={() => onAsk('makeAgain')}>
          Make it again
        </Button>
      ) : null}
      {can.useCredit && invoice.creditCents > 0 ? (
        <Button icon={<IconCoins />} onClick={() => onAsk('useCredit')}>
          Use credit
        </Button>
      ) : null}
      {can.waiveFee ? (
        <Button calls={invoicesApi.waiveFee} icon={<IconX />} onClick={() => onAsk('waiveFee')}>
          Waive the fee
        </Button>
      ) : null}
      {can.reinstate ? (
        <Button
          calls={invoicesApi.reinstate}
          icon={<IconArrowBackUp />}
          loading={running('reinstate')}
          onClick={() => run('reinstate')}
        >
          Open again
        </Button>
      ) : null}
      {can.remind ? (
        <Button icon={<IconMail />} onClick={() => setReminding(true)}>
          Remind
        </Button>
      ) : null}
      <RemindQuestion invoiceId={invoice.id} open={reminding} onClose={() => setReminding(false)} />
      {can.print ? (
        <Button
          kind={can.pay ? 'quiet' : 'secondary'}
          icon={<IconDownload />}
          onClick={() => void downloadPdf({ id: invoice.id, name }).catch(toast.error)}
        >
          PDF
        </Button>
      ) : null}
      <MoreMenu
        label="More for this invoice"
        width={240}
        items={[
          can.send && !draft ? { label: 'Send again', icon: <IconSend size={18} />, onClick: () => run('send') } : null,
          can.issue && can.send
            ? { label: 'Issue on paper, without mail', icon: <IconFileText size={18} />, onClick: () => run('issue') }
            : null,
          can.useCredit && invoice.creditCents === 0
            ? { label: 'Use a deposit', icon: <IconCoins size={18} />, onClick: () => onAsk('useCredit') }
            : null,
          can.pay && draft
            ? { label: 'Record a payment', icon: <IconCash size={18} />, onClick: () => onAsk('pay') }
            : null,
          {
            label: 'Open the customer',
            icon: <IconExternalLink size={18} />,
            href: linkTo.customer(invoice.customer.id),
          },
          can.promise && {
            label: invoice.reminders.promisedOn ? 'Another promised day…' : 'They promised to pay…',
            icon: <IconCalendar size={18} />,
            onClick: () => onAsk('promise'),
          },
          can.stopReminders &&
            invoice.reminders.byRule && {
              label: 'Stop reminders…',
              icon: <IconX size={18} />,
              onClick: () => onAsk('stopReminders'),
            },
          can.startReminders && {
            label: 'Remind by itself again',
            icon: <IconBell size={18} />,
            onClick: () => {
              setReminders.mutateAsync({ start: true }).then(() => toast.success('Reminders leave again'), toast.error)
            },
          },
          (can.credit || can.writeOff || voidable) && 'line',
          can.credit && {
            label: 'Credit note…',
            icon: <IconReceiptRefund size={18} />,
            onClick: () => onAsk('credit'),
          },
          can.writeOff && { label: 'Write off…', icon: <IconX size={18} />, onClick: () => onAsk('writeOff') },
          voidable && {
            label: draft ? 'Void this draft' : 'Void this invoice',
            icon: <IconTrash size={18} />,
            danger: true,
            onClick: () => onAsk('void'),
          },
          !voidable &&
            can.credit &&
            invoice.payments.some(({ deposit, allocatedCents }) => !deposit && allocatedCents > 0) && {
              label: 'Void this invoice',
              icon: <IconTrash size={18} />,
              hint: 'has payments',
              onClick: () =>
                toast.message(`${name} has payments on it, so it stays. Refund them, or give a credit note.`),
            },
        ]}
      />
    </>
  )
}

const amountLabel: Record<Invoice['status'], string> = {
  draft: 'Draft over',
  issued: 'Open',
  partially_paid: 'Open',
  paid: 'Paid',
  void: 'Voided, was',
  written_off: 'Written off',
}

const Facts = ({ invoice }: { invoice: Invoice }) => (
  <dl className="inv-facts">
    <div>
      <dt>{amountLabel[invoice.status]}</dt>
      <dd>
        <Money
          cents={
            invoice.status === 'paid'
              ? invoice.paidCents
              : invoice.status === 'written_off'
                ? invoice.writtenOffCents
                : invoice.status === 'draft' || invoice.status === 'void'
                  ? invoice.totalCents
                  : invoice.balanceCents
          }
          tone={invoice.overdue ? 'late' : invoice.status === 'paid' ? 'done' : undefined}
        />
      </dd>
    </div>
    <div>
      <dt>Issued</dt>
      <dd>{invoice.issueOn ? formatDay(invoice.issueOn) : 'not yet'}</dd>
    </div>
    <div>
      <dt>Due</dt>
      <dd>
        {invoice.status === 'void' || invoice.status === 'written_off'
          ? 'no more'
          : invoice.dueOn
            ? formatDay(invoice.dueOn)
            : `${invoice.termsDays} days after issue`}
      </dd>
    </div>
  </dl>
)

const Timeline = ({ invoice }: { invoice: Invoice }) => {
  const { timeZone } = useUser().business
  return (
    <section>
      <h3>What happened</h3>
      <ol className="inv-time">
        {timelineOf(invoice, timeZone).map((one) => (
          <li key={one.key} className={`is-${one.tone}`}>
            <span>
              {one.label}
              {one.detail ? <span className="hint">{one.detail}</span> : null}
            </span>
            <span className="hint num">
              {formatDay(one.day)}
              {one.at ? `, ${formatTime(one.at, timeZone)}` : ''}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

type PageProps = { id: string; path: string; isOpen: boolean }

/** The customer's page of this invoice; on the tour only of the one that is shown there. */
const PublicPage = ({ id, path, isOpen }: PageProps) => {
  const tour = useTour()
  const words = (
    <>
      <IconExternalLink size={17} aria-hidden="true" />
      {isOpen ? 'The page where the customer pays' : 'The page that the customer sees'}
    </>
  )
  if (!tour)
    return (
      <a className="inv-public" href={path} target="_blank" rel="noreferrer">
        {words}
      </a>
    )
  return tour.invoiceId === id ? (
    <LinkTo className="inv-public" href={paths.customerPage}>
      {words}
    </LinkTo>
  ) : null
}

const Body = ({ invoice }: { invoice: Invoice }) => {
  const failed = invoice.mails.at(-1)
  const bill = invoice.billTo
  return (
    <div className="inv-panel">
      {failed && ['failed', 'suppressed', 'unknown'].includes(failed.status) && isOpen(invoice.status) ? (
        <Banner
          tone="warn"
          title={failed.channel === 'sms' ? 'The last text did not arrive.' : 'The last mail did not arrive.'}
        >
          {failed.reason ? troubleWords(failed.reason, failed.address) : 'Check the address'}. Correct the{' '}
          {failed.channel === 'sms' ? 'number' : 'e-mail'} of{' '}
          <LinkTo href={linkTo.customer(invoice.customer.id)}>{invoice.customer.name}</LinkTo> and send it again.
        </Banner>
      ) : null}
      {!isReached(invoice.reach) && (invoice.status === 'draft' || isOpen(invoice.status)) ? (
        <Banner
          tone="warn"
          title={invoice.reach.why ? `No e-mail on file, and no texts: ${invoice.reach.why}.` : 'No e-mail on file.'}
        >
          Print the PDF, or <LinkTo href={linkTo.customer(invoice.customer.id)}>add an e-mail</LinkTo> to send it with a
          pay link.
        </Banner>
      ) : null}
      <Facts invoice={invoice} />
      <AtIssue invoice={invoice} />
      {invoice.madeFrom ? (
        <p className="hint">
          Made again from{' '}
          <LinkTo href={linkTo.invoice(invoice.madeFrom.id)}>{invoiceName(invoice.madeFrom.number)}</LinkTo>, which was
          voided.
        </p>
      ) : null}
      {invoice.replacedBy && invoice.replacedBy.id !== invoice.madeAgainAs?.id ? (
        <p className="hint">
          Its work is on{' '}
          <LinkTo href={linkTo.invoice(invoice.replacedBy.id)}>{invoiceName(invoice.replacedBy.number)}</LinkTo> now.
        </p>
      ) : null}
      {invoice.madeAgainAs ? (
        <p className="hint">
          Made again as{' '}
          <LinkTo href={linkTo.invoice(invoice.madeAgainAs.id)}>{invoiceName(invoice.madeAgainAs.number)}</LinkTo>.
        </p>
      ) : null}
      {whereDepositsAre(invoice).map((words) => (
        <p key={words} className="hint">
          {words}
        </p>
      ))}
      {isOpen(invoice.status) ? <CreditThere invoice={invoice} /> : null}
      {isReached(invoice.reach) && invoice.reach.why && (invoice.status === 'draft' || isOpen(invoice.status)) ? (
        <p className="hint">
          No text goes to {invoice.customer.name}: {invoice.reach.why}. It goes by e-mail.
        </p>
      ) : null}
      <RestingFee invoice={invoice} />
      {isOpen(invoice.status) ? <ReminderLine invoice={invoice} /> : null}
      {invoice.pending ? (
        <Banner tone="info">
          {pendingWords(invoice.pending)}{' '}
          {invoice.status === 'void'
            ? 'When it arrives, it becomes credit.'
            : 'Reminders, late fees and autopay wait for it.'}
        </Banner>
      ) : null}
      {invoice.checkoutOpen ? <p className="hint">The customer has the payment page open right now.</p> : null}
      {invoice.publicPath && invoice.status !== 'void' ? (
        <PublicPage
          id={invoice.id}
          path={invoice.publicPath}
          isOpen={isOpen(invoice.status) && !invoice.disputed && !invoice.pending}
        />
      ) : null}
      <section>
        <h3>{invoice.lines.length === 1 ? '1 line' : `${invoice.lines.length} lines`}</h3>
        <InvoiceLines invoice={invoice} />
      </section>
      <LateFees invoice={invoice} />
      <DisputesOf of={{ invoiceId: invoice.id }} />
      <PaymentRows invoice={invoice} />
      <RefundRows refunds={invoice.handedRefunds} />
      <Timeline invoice={invoice} />
      <section>
        <h3>Bill to</h3>
        <p className="inv-address">{billLines(bill).join('\n')}</p>
        {invoice.message ? <p className="muted inv-address">“{invoice.message}”</p> : null}
      </section>
    </div>
  )
}

/** One invoice beside the list: what is open, what it is for, what happened, and the next step. */
export const InvoicePanel = ({ id, onClose, onPrevious, onNext }: Props) => {
  const found = useQuery(invoiceQuery(id))
  const today = useToday()
  const voiding = useVoid(id)
  const [asked, setAsked] = useState<Question | null>(null)
  const close = () => setAsked(null)
  const { change } = useParams()
  useAhead(ChangeDraft)
  const invoice = found.data
  return (
    <RecordPanel
      open
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      width={520}
      title={invoice ? invoiceName(invoice.number) : 'Invoice'}
      sub={invoice ? <LinkTo href={linkTo.customer(invoice.customer.id)}>{invoice.customer.name}</LinkTo> : undefined}
      badge={invoice ? <InvoiceState invoice={invoice} today={today} /> : undefined}
      actions={invoice ? <Actions invoice={invoice} onAsk={setAsked} /> : undefined}
    >
      {invoice ? (
        <>
          <Body invoice={invoice} />
          <RecordPayment invoice={invoice} open={asked === 'pay'} onClose={close} />
          <ChangeDraft invoice={invoice} open={asked === 'edit'} onClose={close} />
          <MakeAgain
            invoice={invoice}
            open={asked === 'makeAgain'}
            onClose={close}
            onDone={(made) => {
              close()
              change({ [recordParam.invoice]: made.id })
            }}
          />
          <UseCredit invoice={invoice} open={asked === 'useCredit'} onClose={close} />
          <CreditInvoice invoice={invoice} open={asked === 'credit'} onClose={close} />
          <WriteOff invoice={invoice} open={asked === 'writeOff'} onClose={close} />
          <PromiseToPay invoice={invoice} open={asked === 'promise'} onClose={close} />
          <WaiveFee invoice={invoice} open={asked === 'waiveFee'} onClose={close} />
          <StopReminders invoice={invoice} open={asked === 'stopReminders'} onClose={close} />
          <VoidInvoice
            invoice={invoice}
            open={asked === 'void'}
            onClose={close}
            onVoid={(reason) => voiding.mutateAsync(reason)}
          />
        </>
      ) : found.isError ? (
        <RecordFailed
          what="invoice"
          error={found.error}
          onClose={onClose}
          onRetry={found.refetch}
          retrying={found.isFetching}
        />
      ) : (
        <PanelSkeleton />
      )}
    </RecordPanel>
  )
}
