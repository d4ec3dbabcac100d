import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/client.ts'
import { addDays, formatDay, monthDayText, weekdayOf } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { businessQuery } from '../../invoices/web/data.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { inSeason } from '../../jobs/rules.ts'
import { type QuoteRecord, quotesApi } from '../contract.ts'
import {
  firstChoice,
  type LostReason,
  lostLabel,
  lostReasons,
  type QuoteTaxes,
  quoteName,
  quoteTotals,
  sendProblem,
} from '../rules.ts'
import { useQuoteVerb } from './data.ts'

type Props = { quote: QuoteRecord; open: boolean; onClose: () => void }

const Problem = ({ error }: { error: Error | null }) => (error ? <Banner tone="error">{error.message}</Banner> : null)

/** How a deposit is paid where no card can be taken on the page. */
export const DepositWay = ({ quote }: { quote: Pick<QuoteRecord, 'depositCents' | 'takesCards'> }) =>
  quote.depositCents > 0 && !quote.takesCards ? (
    <Banner tone="warn" title="You do not take cards yet, so the deposit is not paid on the page.">
      {`Whoever signs is told to come to you for the ${formatCents(quote.depositCents)}. Record it in the quote when a check or cash arrives, or connect card payments in your profile.`}
    </Banner>
  ) : null

/** By which ways a quote goes, and to whom; the first time or once more. */
export const SendDialog = ({
  quote,
  open,
  onClose,
  onSent = onClose,
  again = false,
}: Props & { again?: boolean; onSent?: () => void }) => {
  const { emails, phones, language } = quote.reach
  const [mail, setMail] = useState(emails.length > 0)
  const [text, setText] = useState(emails.length === 0 && phones.length > 0)
  const send = useQuoteVerb('send')
  const resend = useQuoteVerb('resend')
  const verb = again ? resend : send
  const problem = sendProblem(quote.content)
  const submit = async () => {
    const ways = { mail, text }
    if (again) await resend.mutateAsync({ params: { id: quote.id }, body: ways })
    else await send.mutateAsync({ params: { id: quote.id }, body: { ...ways, version: quote.version } })
    toast.success(`${quoteName(quote.number)} is on its way to ${quote.customer.name}`)
    onSent()
  }
  return (
    <Dialog open={open} onClose={onClose} title={`Send ${quoteName(quote.number)}`}>
      <div className="qt-form">
        {problem && !again ? <Banner tone="warn">{problem}</Banner> : null}
        <p>
          {formatCents(quote.totalCents)} for {quote.property.street}
          {language === 'es' ? ', in Spanish' : ''}. They see it on their phone, choose and sign there.
        </p>
        <DepositWay quote={quote} />
        <CheckboxField
          label="By e-mail"
          hint={emails.length > 0 ? emails.join(', ') : 'No e-mail on file'}
          value={mail}
          onChange={setMail}
          disabled={emails.length === 0}
        />
        <CheckboxField
          label="By text"
          hint={phones.length > 0 ? phones.map((one) => formatPhone(one)).join(', ') : 'No phone number on file'}
          value={text}
          onChange={setText}
          disabled={phones.length === 0}
        />
        <Problem error={verb.error} />
        <FormActions>
          <Button
            calls={quotesApi.send}
            kind="primary"
            loading={verb.isPending}
            disabled={(!mail && !text) || (problem !== null && !again)}
            onClick={() => void submit().catch(() => undefined)}
          >
            Send
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

/** The customer said yes some other way: who, how, and what of it. */
export const ApproveDialog = ({ quote, open, onClose }: Props) => {
  const first = firstChoice(quote.content)
  const [signer, setSigner] = useState(quote.customer.name)
  const [note, setNote] = useState('')
  const [packageId, setPackageId] = useState(first.packageId)
  const [lineIds, setLineIds] = useState(first.lineIds)
  const approve = useQuoteVerb('approve')
  const choice = { packageId, lineIds }
  const { totalCents } = quoteTotals(quote.content, choice, quote.tax as QuoteTaxes)
  const options = quote.content.lines.filter(
    (line) => line.optional && (line.packageIds.length === 0 || line.packageIds.includes(packageId ?? '')),
  )
  const submit = async () => {
    await approve.mutateAsync({ params: { id: quote.id }, body: { signer, note, choice, version: quote.version } })
    toast.success(`${quoteName(quote.number)} is approved`)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title={`${quote.customer.name} said yes`}>
      <div className="qt-form">
        {quote.content.packages.length > 0 ? (
          <RadioField
            label="Package"
            value={packageId}
            onChange={setPackageId}
            options={quote.content.packages.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
        {options.map((line) => (
          <CheckboxField
            key={line.id}
            label={line.name}
            value={lineIds.includes(line.id)}
            onChange={(on) => setLineIds((now) => (on ? [...now, line.id] : now.filter((id) => id !== line.id)))}
          />
        ))}
        <TextField label="Who said yes" value={signer} onChange={setSigner} maxLength={120} />
        <TextAreaField
          label="How"
          value={note}
          onChange={setNote}
          rows={2}
          maxLength={1000}
          placeholder="On the phone, Tuesday morning"
          hint="Stands on the signed paper, with your name."
        />
        <Problem error={approve.error} />
        <FormActions>
          <Button
            calls={quotesApi.approve}
            kind="primary"
            loading={approve.isPending}
            disabled={note.trim().length < 3 || signer.trim() === ''}
            onClick={() => void submit().catch(() => undefined)}
          >
            Approve for {formatCents(totalCents)}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

/** It is lost: why, so that it can be learned from. */
export const LostDialog = ({ quote, open, onClose }: Props) => {
  const [reason, setReason] = useState<LostReason | null>(null)
  const [note, setNote] = useState('')
  const decline = useQuoteVerb('decline')
  const submit = async () => {
    if (!reason) return
    await decline.mutateAsync({ params: { id: quote.id }, body: { reason, note, version: quote.version } })
    toast.success(`${quoteName(quote.number)} is marked as lost`)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title={`${quoteName(quote.number)} is lost`}>
      <div className="qt-form">
        <RadioField
          label="Why"
          value={reason}
          onChange={setReason}
          options={lostReasons.map((one) => ({ value: one, label: lostLabel[one] }))}
        />
        <TextAreaField label="Their words" optional value={note} onChange={setNote} rows={2} maxLength={1000} />
        <Problem error={decline.error} />
        <FormActions>
          <Button
            calls={quotesApi.decline}
            kind="primary"
            loading={decline.isPending}
            disabled={reason === null}
            onClick={() => void submit().catch(() => undefined)}
          >
            Mark as lost
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

/** From which day on the signed work is done. */
export const ConvertDialog = ({ quote, open, onClose }: Props) => {
  const today = useToday()
  const day = quote.content.day ?? null
  const [startOn, setStartOn] = useState<string | null>(() => {
    const usual = addDays(today, 7)
    return day ? addDays(usual, (day.weekday - weekdayOf(usual) + 7) % 7) : usual
  })
  const [instructions, setInstructions] = useState('')
  const business = useQuery(businessQuery)
  const comesBack = !quote.renewal && quote.content.lines.some(({ frequency }) => frequency !== 'once')
  const convert = useQuoteVerb('convert')
  const submit = async () => {
    if (!startOn) return
    const { jobId } = await convert.mutateAsync({
      params: { id: quote.id },
      body: { startOn, crewId: day?.crewId ?? null, instructions, version: quote.version },
    })
    // the first day may be another than was asked for: the season, or a weekday; without an answer it is only not said
    const first = jobId
      ? await call(jobsApi.get, { params: { id: jobId } }).then(
          (job) => job.nextVisits[0]?.day ?? null,
          () => null,
        )
      : null
    const when = first ? `. First visit: ${formatDay(first, { year: true })}` : ''
    toast.success(`${quote.renewal ? 'The next season is booked' : 'It is a job now'}${when}`)
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title={`Make ${quoteName(quote.number)} a job`}>
      <div className="qt-form">
        <p>
          What was signed becomes a job at {quote.property.street}, each line with its price and rhythm; rounds of a
          program become a job of their own.
          {quote.depositPaidCents > 0
            ? ` The deposit of ${formatCents(quote.depositPaidCents)} is taken off the invoices of all of it, the oldest first.`
            : ''}
        </p>
        {quote.renewal ? (
          <p>
            It renews job J-{quote.renewal.jobNumber}: the new season begins on{' '}
            {formatDay(quote.renewal.startsOn, { year: true })} by the same rules, and the old series ends the day
            before.
          </p>
        ) : (
          <DateField
            label="First day"
            value={startOn}
            onChange={setStartOn}
            today={today}
            min={today}
            hint={
              day?.crewId
                ? `Work that comes back keeps this weekday. ${day.crewName} has it.`
                : 'Work that comes back keeps this weekday.'
            }
          />
        )}
        {comesBack &&
        startOn &&
        business.data &&
        !inSeason(startOn, [{ from: business.data.seasonStart, to: business.data.seasonEnd }]) ? (
          <Banner tone="info">
            Your season is {monthDayText(business.data.seasonStart)} to {monthDayText(business.data.seasonEnd)}. Work
            that comes back begins with the next one.
          </Banner>
        ) : null}
        <TextAreaField
          label="For the crew"
          optional
          value={instructions}
          onChange={setInstructions}
          rows={2}
          maxLength={4000}
        />
        <Problem error={convert.error} />
        <FormActions>
          <Button
            calls={quotesApi.convert}
            kind="primary"
            loading={convert.isPending}
            disabled={!startOn}
            onClick={() => void submit().catch(() => undefined)}
          >
            Make it a job
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
