import { type Day, dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { troubleWords } from '../../messages/rules.ts'
import { bankProblem } from '../../payments/debits/rules.ts'
import type { Invoice } from '../contract.ts'
import { depositName } from '../corrections/rules.ts'
import { namedInvoices } from '../words/rules.ts'

export type Happening = {
  key: string
  at: string | null
  day: Day
  /** When money was written down, which is booked under a day: it orders what is of the same day. */
  writtenAt?: string
  label: string
  detail?: string
  tone: 'plain' | 'good' | 'bad'
}

export const methodLabel: Record<Invoice['payments'][number]['method'], string> = {
  card: 'card',
  ach: 'bank transfer',
  check: 'check',
  cash: 'cash',
  credit: 'credit',
  other: 'another way',
}

const mailNames: Record<Invoice['mails'][number]['kind'], string> = {
  invoice: 'Invoice',
  reminder: 'Reminder',
  receipt: 'Receipt',
  bank_begun: 'Word that the bank was asked',
  bank_failed: 'Word that the bank did not pay',
  bank_returned: 'Word that the bank took it back',
  refund: 'Word of the refund',
  credit_note: 'Credit note',
  autopay_notice: 'Notice of the autopay charge',
  autopay_declined: 'Word that autopay could not charge',
  autopay: 'Word about autopay',
  other: 'Message',
}

const mailLabel = (mail: Invoice['mails'][number]): Pick<Happening, 'label' | 'tone'> => {
  const name = mailNames[mail.kind]
  const isText = mail.channel === 'sms'
  const address = isText ? formatPhone(mail.address) : mail.address
  switch (mail.status) {
    case 'held':
      return { label: `${name} waits to be texted to ${address}`, tone: 'plain' }
    case 'failed':
      return { label: `${name} did not reach ${address}`, tone: 'bad' }
    case 'suppressed':
      return { label: `${name} was not sent to ${address}`, tone: 'bad' }
    case 'unknown':
      return { label: `${name} to ${address} may not have arrived`, tone: 'bad' }
    case 'delivered':
      return { label: `${name} arrived at ${address}`, tone: 'plain' }
    case 'sent':
      return { label: `${name} ${isText ? 'texted' : 'mailed'} to ${address}`, tone: 'plain' }
    default:
      return { label: `${name} to ${address} is on its way`, tone: 'plain' }
  }
}

/** Why it did not leave, when it will, and what a text costs. */
const mailDetail = (
  { channel, address, reason, runAfter, status, segments }: Invoice['mails'][number],
  timeZone: string,
) => {
  const detail = [
    reason === null ? '' : troubleWords(reason, address),
    status === 'held' && runAfter
      ? `leaves on ${formatDay(dayOf(runAfter, timeZone))} at ${formatTime(runAfter, timeZone)}`
      : '',
    channel === 'sms' ? `${segments === 1 ? '1 segment' : `${segments} segments`}` : '',
  ]
    .filter(Boolean)
    .join(' · ')
  return detail ? { detail } : {}
}

const correctionLabel: Record<Invoice['corrections'][number]['kind'], (amount: string) => string> = {
  reversal: (amount) => `${amount} taken back: it was recorded by mistake`,
  moved: (amount) => `${amount} taken off: the money is for something else`,
  given_back: (amount) => `${amount} of the deposit given back to its work`,
  refund: (amount) => `${amount} refunded, open again`,
  dispute: (amount) => `The bank took ${amount} back, open again`,
  write_off: (amount) => `${amount} written off`,
  reinstated: (amount) => `Opened again over ${amount}`,
  fee_let_go: (amount) => `The late fee of ${amount} was let go`,
  fee_waived: (amount) => `The late fee of ${amount} was waived`,
  void: (amount) =>
    amount === formatCents(0) ? 'Voided: all of it was paid ahead' : `Voided: ${amount} is not owed any more`,
}

/** What refunds took off this invoice of a payment since: with what is on it still, it is the payment as it came. */
const takenOff = ({ earlier }: Pick<Invoice, 'earlier'>, paymentId: string): number =>
  earlier.reduce((sum, one) => (one.paymentId === paymentId ? sum + one.amountCents : sum), 0)

const detailOf = (
  { note, amountCents, allocatedCents, tipCents, refundedCents, restCents, pays }: Invoice['payments'][number],
  refundedHereCents: number,
  here: number,
) => {
  const elsewhere = amountCents - refundedCents - allocatedCents - tipCents - restCents
  const others = namedInvoices(pays.filter((number) => number !== here)) || 'other invoices'
  const detail = [
    note,
    tipCents > 0 && allocatedCents + refundedHereCents > 0 ? `${formatCents(tipCents)} more as a tip for the crew` : '',
    // what went back of it here has a line of its own
    refundedCents > refundedHereCents ? `${formatCents(refundedCents)} of ${formatCents(amountCents)} went back` : '',
    elsewhere > 0 ? `${formatCents(elsewhere)} more is on ${others}` : '',
    restCents > 0 ? `${formatCents(restCents)} more is left as credit` : '',
  ]
    .filter(Boolean)
    .join(' · ')
  return detail ? { detail } : {}
}

/** Who did it and why. */
const detailWith = ({ by, reason }: Pick<Invoice['corrections'][number], 'by' | 'reason'>) => {
  const detail = [by, reason].filter(Boolean).join(' · ')
  return detail ? { detail } : {}
}

/** What went back is not owed again where the refund wrote a credit note over the same sum, with its reason and day. */
const refundLabel = ({ payments }: Invoice, { amountCents, onDay, reason }: Invoice['corrections'][number]): string =>
  payments.some(
    (one) => one.creditNote && one.receivedOn === onDay && one.note === reason && one.allocatedCents === amountCents,
  )
    ? `${formatCents(amountCents)} refunded, not owed again`
    : correctionLabel.refund(formatCents(amountCents))

/** What the voiding of its invoice gave back of a deposit. */
const givenBackLabel = ({ gaveDeposits }: Pick<Invoice, 'gaveDeposits'>, correctionId: string): string | undefined => {
  const one = gaveDeposits.find(({ id }) => id === correctionId)
  return (
    one && `${formatCents(one.amountCents)} of ${depositName(one)} given back to its ${one.quote ? 'quote' : 'job'}`
  )
}

/** Where the deposits are that a voided invoice gave back. */
export const whereDepositsAre = ({ gaveDeposits }: Pick<Invoice, 'gaveDeposits'>): string[] =>
  gaveDeposits.map(({ restCents, pays, ...of }) => {
    const where = [
      pays.length > 0 ? `pays ${namedInvoices(pays)}` : '',
      restCents > 0 ? `waits with ${formatCents(restCents)} for the next invoice of its work` : '',
    ].filter(Boolean)
    const name = depositName(of)
    return `${name[0]?.toUpperCase()}${name.slice(1)} ${where.join(' and ') || 'is used up or went back'}.`
  })

/** What happened to an invoice, newest first. Money of another day than the one on which it was written down stands at the end of its day. */
export const timelineOf = (invoice: Invoice, timeZone: string): Happening[] => {
  const dayAt = (at: string) => dayOf(at, timeZone)
  const moments: Happening[] = [
    { key: 'made', at: invoice.createdAt, day: dayAt(invoice.createdAt), label: 'Draft made', tone: 'plain' },
    ...invoice.mails.map((mail) => ({
      key: mail.id,
      at: mail.createdAt,
      day: dayAt(mail.createdAt),
      ...mailLabel(mail),
      ...mailDetail(mail, timeZone),
    })),
    ...invoice.failedDebits.map(({ id, cents, problem, at }) => ({
      key: id,
      at,
      day: dayAt(at),
      label: `A bank payment of ${formatCents(cents)} did not come`,
      detail: bankProblem(problem),
      tone: 'bad' as const,
    })),
  ]
  // Mails from before this was kept on file are known by their time alone.
  const hasMail = (kind: 'invoice' | 'reminder') => invoice.mails.some((mail) => mail.kind === kind)
  if (invoice.sentAt && !hasMail('invoice'))
    moments.push({
      key: 'sent',
      at: invoice.sentAt,
      day: dayAt(invoice.sentAt),
      label: 'Invoice mailed',
      tone: 'plain',
    })
  if (invoice.lastRemindedAt && !hasMail('reminder'))
    moments.push({
      key: 'reminded',
      at: invoice.lastRemindedAt,
      day: dayAt(invoice.lastRemindedAt),
      label: 'Reminder mailed',
      tone: 'plain',
    })
  if (invoice.printedAt)
    moments.push({
      key: 'printed',
      at: invoice.printedAt,
      day: dayAt(invoice.printedAt),
      label: 'Printed to be handed over or mailed',
      tone: 'plain',
    })
  if (invoice.viewedAt)
    moments.push({
      key: 'viewed',
      at: invoice.viewedAt,
      day: dayAt(invoice.viewedAt),
      label: 'Opened by the customer',
      ...(invoice.viewCount > 1 ? { detail: `${invoice.viewCount} times in all` } : {}),
      tone: 'plain',
    })
  if (invoice.issueOn && invoice.dueOn)
    moments.push({
      key: 'issued',
      at: null,
      day: invoice.issueOn,
      label: `Issued, due ${formatDay(invoice.dueOn)}`,
      tone: 'plain',
    })
  const payments = invoice.payments.map((payment): Happening => {
    const refundedHereCents = takenOff(invoice, payment.id)
    // a refund that failed put back what it had taken off: no more came than the payment
    const cameCents = Math.min(payment.allocatedCents + refundedHereCents, payment.amountCents)
    const wasThere = payment.createdAt < invoice.createdAt
    return {
      key: payment.id,
      at: null,
      // money that was there before the invoice was put on it after that was made
      writtenAt: wasThere ? (invoice.sentAt ?? invoice.createdAt) : payment.createdAt,
      day: payment.receivedOn,
      label: payment.creditNote
        ? `${formatCents(cameCents)} credited by ${payment.creditNote}`
        : cameCents === 0
          ? `${formatCents(payment.tipCents)} as a tip by ${methodLabel[payment.method]}`
          : payment.deposit
            ? `Deposit of ${formatCents(cameCents)}, paid by ${methodLabel[payment.method]}`
            : wasThere
              ? `${formatCents(cameCents)} put on it of what was there, paid by ${methodLabel[payment.method]}`
              : `${formatCents(cameCents)} paid by ${methodLabel[payment.method]}`,
      ...detailOf(payment, refundedHereCents, invoice.number),
      tone: 'good',
    }
  })
  const there = new Set(invoice.payments.map(({ id }) => id))
  const firstOf = new Map(invoice.earlier.toReversed().map(({ id, paymentId }) => [paymentId, id]))
  const gone = invoice.earlier
    .filter(({ id, paymentId }) => paymentId === null || (!there.has(paymentId) && firstOf.get(paymentId) === id))
    .map((one) => (one.paymentId === null ? one : { ...one, amountCents: takenOff(invoice, one.paymentId) }))
  const deposits = new Map(invoice.gaveDeposits.map(({ id, ...of }) => [id, depositName(of)]))
  const earlier = gone.map(
    ({ id, kind, method, amountCents, creditNote, reason, onDay, at }): Happening => ({
      key: `${id} ${kind}`,
      at: null,
      writtenAt: at,
      day: onDay,
      label:
        kind === 'credit_note'
          ? `${creditNote} gives ${formatCents(amountCents)} of it as credit for later`
          : kind === 'late'
            ? `${formatCents(amountCents)} came by ${methodLabel[method]} when nothing was open: it is credit now`
            : creditNote
              ? `${formatCents(amountCents)} credited by ${creditNote}`
              : deposits.has(id)
                ? `${formatCents(amountCents)} of ${deposits.get(id)}, paid by ${methodLabel[method]}`
                : `${formatCents(amountCents)} paid by ${methodLabel[method]}`,
      ...(reason ? { detail: reason } : {}),
      tone: 'good',
    }),
  )
  const corrections = invoice.corrections.map(
    (correction): Happening => ({
      key: correction.id + correction.kind,
      at: null,
      writtenAt: correction.at,
      day: correction.onDay,
      label:
        correction.kind === 'refund'
          ? refundLabel(invoice, correction)
          : (givenBackLabel(invoice, correction.id) ??
            correctionLabel[correction.kind](formatCents(correction.amountCents))),
      ...detailWith(correction),
      tone: ['given_back', 'reinstated', 'fee_let_go', 'fee_waived'].includes(correction.kind) ? 'plain' : 'bad',
    }),
  )
  const sentAt = moments.find((one) => one.key !== 'made' && one.at !== null && one.day === invoice.issueOn)?.at
  const madeOn = dayAt(invoice.createdAt)
  // Issued comes right before the mail that carried it, else as early as it can have been: what happens to an invoice happens after it.
  const rank = (one: Happening) => {
    const at = one.at ?? (one.writtenAt && dayAt(one.writtenAt) === one.day ? one.writtenAt : null)
    // A batch makes, issues and mails an invoice in one moment: among three of the same time the letter behind it keeps their order.
    if (one.key === 'made') return `${one.day} ${invoice.createdAt.slice(0, -1)}`
    return one.key === 'issued'
      ? sentAt
        ? `${one.day} ${sentAt.slice(0, -1)}+`
        : one.day > madeOn
          ? one.day
          : `${madeOn} ${invoice.createdAt}~`
      : `${one.day}${at === null ? '~1' : ` ${at}`}`
  }
  return [...moments, ...earlier, ...payments, ...corrections]
    .map((one, order) => ({ one, order }))
    .sort((a, b) => (rank(a.one) < rank(b.one) ? 1 : rank(a.one) > rank(b.one) ? -1 : b.order - a.order))
    .map(({ one }) => one)
}
