import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dayOf, formatDay, formatTime, weekdayNames } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import {
  IconArchive,
  IconCheck,
  IconCopy,
  IconDownload,
  IconExternalLink,
  IconEye,
  IconFileInvoice,
  IconPencil,
  IconRepeat,
  IconSend,
  IconX,
} from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import { RecordFailed } from '../../../ui/RecordFailed.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'

import { quoteBillingApi } from '../billing/contract.ts'
import { type QuoteRecord, quotesApi } from '../contract.ts'
import { addedWords } from '../days/rules.ts'
import { firstChoice, isChosen, isOtherName, lostLabel, type QuoteTaxes, quoteName, quoteTotals } from '../rules.ts'
import { downloadQuote, quoteQuery, useBillQuote, useQuoteVerb } from './data.ts'
import { ApproveDialog, ConvertDialog, LostDialog, SendDialog } from './QuoteDialogs.tsx'
import { QuoteJobs } from './QuoteJobs.tsx'
import { QuoteState } from './QuoteState.tsx'
import { TotalsList } from './TotalsList.tsx'
import { lineHint } from './words.ts'

const DepositPart = lazyPart(() => import('../deposits/web/DepositPart.tsx').then((m) => m.DepositPart))

const QuotePreview = lazyPart(() => import('../viewer/web/QuotePreview.tsx').then((m) => m.QuotePreview))

type Question = 'send' | 'resend' | 'approve' | 'lost' | 'convert' | 'preview'

const Actions = ({ quote, onAsk }: { quote: QuoteRecord; onAsk: (question: Question) => void }) => {
  const navigate = useNavigate()
  const revise = useQuoteVerb('revise')
  const archive = useQuoteVerb('archive')
  const copy = useQuoteVerb('copy')
  const bill = useBillQuote()
  const { can, id, version } = quote
  const edit = () =>
    revise
      .mutateAsync({ params: { id }, body: { version } })
      .then(() => navigate(linkTo.quoteBuilder(id)))
      .catch(toast.error)
  return (
    <>
      {can.convert && (quote.billing.invoice === null || quote.billing.invoice.isCredited) ? (
        <Button calls={quotesApi.convert} kind="primary" icon={<IconRepeat />} onClick={() => onAsk('convert')}>
          Make it a job
        </Button>
      ) : null}
      {quote.billing.can ? (
        <Button
          calls={quoteBillingApi.bill}
          icon={<IconFileInvoice />}
          loading={bill.isPending}
          onClick={() =>
            void bill
              .mutateAsync(id)
              .then(({ billing }) => billing.invoice && navigate(linkTo.invoice(billing.invoice.id)))
              .catch(toast.error)
          }
        >
          Invoice it
        </Button>
      ) : null}
      {quote.billing.invoice ? (
        <Button icon={<IconFileInvoice />} href={linkTo.invoice(quote.billing.invoice.id)}>
          Open INV-{quote.billing.invoice.number}
        </Button>
      ) : null}
      {quote.jobId ? (
        <Button kind="primary" icon={<IconExternalLink />} href={linkTo.job(quote.jobId)}>
          Open the job
        </Button>
      ) : null}
      {can.send ? (
        <Button calls={quotesApi.send} kind="primary" icon={<IconSend />} onClick={() => onAsk('send')}>
          Send
        </Button>
      ) : null}
      {can.edit ? (
        <Button icon={<IconPencil />} href={linkTo.quoteBuilder(id)}>
          Open the builder
        </Button>
      ) : null}
      {can.approve ? (
        <Button calls={quotesApi.approve} icon={<IconCheck />} onClick={() => onAsk('approve')}>
          They said yes
        </Button>
      ) : null}
      {can.revise ? (
        <Button calls={quotesApi.revise} icon={<IconPencil />} loading={revise.isPending} onClick={() => void edit()}>
          New version
        </Button>
      ) : null}
      <MoreMenu
        label="More for this quote"
        width={230}
        items={[
          quote.status !== 'archived' && {
            label: 'As the customer sees it',
            icon: <IconEye size={18} />,
            onClick: () => onAsk('preview'),
          },
          quote.publicPath !== null && {
            label: 'PDF',
            icon: <IconDownload size={18} />,
            onClick: () => void downloadQuote(quote).catch(toast.error),
          },
          can.resend && { label: 'Send once more', icon: <IconSend size={18} />, onClick: () => onAsk('resend') },
          can.copy && {
            label: 'Copy as a new draft',
            icon: <IconCopy size={18} />,
            onClick: () =>
              void copy
                .mutateAsync({ params: { id }, body: {} })
                .then((next) => navigate(linkTo.quoteBuilder(next.id)))
                .catch(toast.error),
          },
          (can.decline || can.archive) && 'line',
          can.decline && { label: 'Mark as lost…', icon: <IconX size={18} />, onClick: () => onAsk('lost') },
          can.archive && {
            label: 'Archive',
            icon: <IconArchive size={18} />,
            onClick: () =>
              void archive
                .mutateAsync({ params: { id }, body: { version } })
                .then(() => toast.success(`${quoteName(quote.number)} is archived`))
                .catch(toast.error),
          },
        ]}
      />
    </>
  )
}

const eventWords: Record<string, string> = {
  created: 'Begun',
  sent: 'Sent',
  viewed: 'Opened by the customer',
  revised: 'New version begun',
  changes_requested: 'Changes asked for',
  approved: 'Signed',
  declined: 'Declined',
  expired: 'Expired',
  converted: 'Made a job',
  archived: 'Archived',
  follow_up: 'Asked after by itself',
  deposit_paid: 'Deposit paid',
  deposit_kept: 'Deposit kept as credit',
  invoiced: 'Invoice made',
  invoice_voided: 'Invoice voided',
}

const Timeline = ({ quote }: { quote: QuoteRecord }) => {
  const { timeZone } = useUser().business
  return (
    <section>
      <h3>What happened</h3>
      <ol className="qt-time">
        {quote.events.map((one) => (
          <li key={one.id}>
            <span>
              {eventWords[one.kind] ?? one.kind}
              {one.byName ? <span className="hint"> by {one.byName}</span> : null}
              {one.words ? <span className="qt-said">{one.words}</span> : null}
            </span>
            <span className="hint num">
              {formatDay(dayOf(one.at, timeZone))}, {formatTime(one.at, timeZone)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

type SignatureProps = { signature: NonNullable<QuoteRecord['signature']>; customer: string }
const Signature = ({ signature, customer }: SignatureProps) => {
  const { timeZone } = useUser().business
  return (
    <section>
      <h3>Signature</h3>
      <dl className="qt-proof">
        <dt>Name</dt>
        <dd>
          {signature.signer}
          {signature.way === 'drawn'
            ? ', drawn'
            : signature.way === 'office'
              ? ', agreed otherwise'
              : signature.way === 'notice'
                ? ', by itself'
                : ', typed'}
          {(signature.way === 'typed' || signature.way === 'drawn') && isOtherName(signature.signer, customer) ? (
            <span className="hint"> Another name than the customer’s</span>
          ) : null}
        </dd>
        <dt>When</dt>
        <dd>
          {formatDay(dayOf(signature.signedAt, timeZone))}, {formatTime(signature.signedAt, timeZone)}
        </dd>
        {signature.note ? (
          <>
            <dt>Noted by {signature.byName ?? 'the office'}</dt>
            <dd>{signature.note}</dd>
          </>
        ) : null}
        {signature.ip ? (
          <>
            <dt>From</dt>
            <dd>
              {signature.ip}
              <span className="hint"> {signature.userAgent}</span>
            </dd>
          </>
        ) : null}
        <dt>Paper</dt>
        <dd className="qt-hash">SHA-256 {signature.pdfHash}</dd>
      </dl>
    </section>
  )
}

const Body = ({ quote }: { quote: QuoteRecord }) => {
  const { timeZone } = useUser().business
  const choice = quote.choice ?? firstChoice(quote.content)
  const totals = quoteTotals(quote.content, choice, quote.tax as QuoteTaxes)
  const asked =
    quote.status === 'changes_requested' ? quote.events.find((one) => one.kind === 'changes_requested') : null
  const others = quote.content.lines.filter((line) => !isChosen(line, choice))
  const chosenPackage = quote.content.packages.find(({ id }) => id === choice.packageId)
  return (
    <div className="qt-body">
      {asked ? (
        <Banner tone="warn" title="The customer asks for changes">
          {asked.words}
        </Banner>
      ) : null}
      {quote.status === 'declined' && quote.lostReason ? (
        <Banner tone="info">Lost: {lostLabel[quote.lostReason].toLowerCase()}.</Banner>
      ) : null}
      {quote.textWaitsUntil ? (
        <Banner tone="info">
          {`The text waits until ${formatTime(quote.textWaitsUntil, timeZone)}, ${formatDay(dayOf(quote.textWaitsUntil, timeZone))}: your quiet hours. A mail is not held back.`}
        </Banner>
      ) : null}
      {quote.isCrewDraft && quote.status === 'draft' ? (
        <Banner tone="info">A crew noted this on site. Price it in the builder, then send it.</Banner>
      ) : null}
      <dl className="qt-facts">
        <div>
          <dt>Total</dt>
          <dd>
            <Money cents={quote.totalCents} />
          </dd>
        </div>
        <div>
          <dt>Deposit</dt>
          <dd>
            {quote.depositCents === 0
              ? 'none'
              : quote.depositPaidCents > 0
                ? `${formatCents(quote.depositPaidCents)} paid`
                : `${formatCents(quote.depositCents)}${quote.signature ? ', not paid yet' : ''}`}
          </dd>
        </div>
        <div>
          <dt>Good until</dt>
          <dd>{quote.validUntil ? formatDay(quote.validUntil) : 'no end'}</dd>
        </div>
      </dl>
      {quote.renewal ? (
        <p className="hint">
          The next season of J-{quote.renewal.jobNumber}, from {formatDay(quote.renewal.startsOn, { year: true })}.{' '}
          <LinkTo href={linkTo.renewalRun(quote.renewal.runId)}>Open the renewal</LinkTo>
        </p>
      ) : null}
      <QuoteJobs jobs={quote.jobs} />
      {quote.content.day ? (
        <p className="hint">
          Best on {weekdayNames[quote.content.day.weekday]}s with {quote.content.day.crewName}:{' '}
          {addedWords(quote.content.day.addedSeconds)}.
        </p>
      ) : null}
      {quote.followOn ? (
        <p className="hint">Without an answer they are asked again on {formatDay(quote.followOn)}, by itself.</p>
      ) : null}
      <section>
        <h3>{chosenPackage ? `Package ${chosenPackage.name}` : 'What it holds'}</h3>
        <ul className="qt-lines">
          {quote.content.lines
            .filter((line) => isChosen(line, choice))
            .map((line) => (
              <li key={line.id}>
                <span>
                  {line.name}
                  <span className="hint">{lineHint(line)}</span>
                </span>
                <span className="num">
                  {line.unitPriceCents === null
                    ? 'no price yet'
                    : formatCents(totals.lines.find(({ id }) => id === line.id)?.totalCents ?? 0)}
                </span>
              </li>
            ))}
        </ul>
        <TotalsList totals={totals} />
        {others.length > 0 ? <p className="hint">Not chosen: {others.map(({ name }) => name).join(', ')}</p> : null}
      </section>
      {quote.photos.length > 0 ? (
        <section>
          <h3>Photos</h3>
          <div className="qt-photos">
            {quote.photos.map(({ id, url }, at) => (
              <a key={id} href={url} target="_blank" rel="noreferrer">
                <img src={url} alt={`Nr. ${at + 1} of this quote`} loading="lazy" />
              </a>
            ))}
          </div>
        </section>
      ) : null}
      {quote.deposit || quote.depositCan.record ? <DepositPart quote={quote} /> : null}
      {quote.signature ? <Signature signature={quote.signature} customer={quote.customer.name} /> : null}
      {quote.note ? (
        <section>
          <h3>Notes of the office</h3>
          <p className="qt-pre">{quote.note}</p>
        </section>
      ) : null}
      <Timeline quote={quote} />
    </div>
  )
}

type Props = {
  id: string
  onClose: () => void
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

/** One quote beside the list: what it comes to, how it stands, and the next step. */
export const QuotePanel = ({ id, onClose, onPrevious, onNext }: Props) => {
  const found = useQuery(quoteQuery(id))
  const [asked, setAsked] = useState<Question | null>(null)
  const close = () => setAsked(null)
  const quote = found.data
  return (
    <RecordPanel
      open
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      width={540}
      title={quote ? `${quoteName(quote.number)}${quote.revision > 1 ? `, version ${quote.revision}` : ''}` : 'Quote'}
      sub={
        quote ? (
          <>
            <LinkTo href={linkTo.customer(quote.customer.id)}>{quote.customer.name}</LinkTo>, {quote.property.street}
          </>
        ) : undefined
      }
      badge={quote ? <QuoteState quote={quote} /> : undefined}
      actions={quote ? <Actions quote={quote} onAsk={setAsked} /> : undefined}
    >
      {quote ? (
        <>
          <Body quote={quote} />
          {asked === 'send' || asked === 'resend' ? (
            <SendDialog quote={quote} open onClose={close} again={asked === 'resend'} />
          ) : null}
          {asked === 'preview' ? <QuotePreview quote={quote} onClose={close} /> : null}
          {asked === 'approve' ? <ApproveDialog quote={quote} open onClose={close} /> : null}
          {asked === 'lost' ? <LostDialog quote={quote} open onClose={close} /> : null}
          {asked === 'convert' ? <ConvertDialog quote={quote} open onClose={close} /> : null}
        </>
      ) : found.isError ? (
        <RecordFailed
          what="quote"
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
