import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { daysBetween, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { reachWords } from '../../messages/paperways/rules.ts'
import type { Invoice } from '../contract.ts'
import { invoiceQuery, useInvoiceVerb } from './data.ts'

/** How things stand, for whoever is about to ask for money: a reminder on the day of issue is a nuisance, one late by a month is not. */
const standing = ({ dueOn, reach }: Invoice, today: string): string => {
  const why = reach.why
    ? ` No text goes: ${reach.why}.`
    : reach.text
      ? ' A text waits for the end of your quiet hours.'
      : ''
  const to = `A link to pay goes to ${reachWords(reach, formatPhone)} now.${why}`
  if (dueOn === null) return to
  const days = daysBetween(dueOn, today)
  if (days > 0) return `${to} It is ${days === 1 ? '1 day' : `${days} days`} late.`
  return `${to} It is ${days === 0 ? 'due today' : `not due until ${formatDay(dueOn)}`}.`
}

type Props = { invoiceId: string; open: boolean; onClose: () => void; onSent?: () => void }

/** Asks before a reminder leaves, wherever one is offered: it cannot be taken back. */
export const RemindQuestion = ({ invoiceId, open, onClose, onSent }: Props) => {
  const { data: invoice, error } = useQuery({ ...invoiceQuery(invoiceId), enabled: open })
  const verb = useInvoiceVerb(invoiceId)
  const today = useToday()
  const failed = open && !invoice && error
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a question that could not be asked is told of
  useEffect(() => {
    if (!failed) return
    toast.error(failed)
    onClose()
  }, [failed])
  if (!invoice) return null
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Remind ${invoice.customer.name} of ${formatCents(invoice.balanceCents)}?`}
      confirmLabel="Send the reminder"
      onConfirm={async () => {
        const { customer } = await verb.mutateAsync('remind')
        toast.success(`Reminder on its way to ${customer.name}`)
        onSent?.()
      }}
    >
      {standing(invoice, today)}
    </ConfirmDialog>
  )
}
