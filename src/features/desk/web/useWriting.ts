import { type FormEvent, useRef, useState } from 'react'
import { firstNameOf } from '../../../shared/names.ts'
import type { Lead } from '../contract.ts'
import { fillTemplate, unfilled } from '../rules.ts'
import { LeadNotFound, useWriteToLead } from './data.ts'
import { instantLabel, messageOf } from './labels.ts'
import { useNotify } from './notice.ts'

export type Problems = { subject?: string | undefined; message?: string | undefined }

/** One message to one lead: what is typed stays until it has left, and a doubled click is one message. */
export const useWriting = (channel: 'email' | 'sms', lead: Lead, onSent: () => void) => {
  const [subject, setSubject] = useState('')
  const [message, setMessage] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const write = useWriteToLead()
  const notify = useNotify()
  const busy = useRef(false)
  const name = channel === 'email' ? 'Email' : 'SMS'
  // What the server fills in as it leaves is no gap.
  const fill = (text: string) =>
    fillTemplate(text, { ...lead, schedulingLink: ' ', callAt: lead.nextCallAt, timeZone: lead.timeZone ?? 'UTC' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy.current) return
    const gap = unfilled(fill(subject), fill(message))
    const found: Problems = {
      ...(channel === 'email' && subject.trim() === '' ? { subject: 'A subject is needed.' } : {}),
      ...(message.trim() === '' ? { message: 'Write something first.' } : gap ? { message: gap } : {}),
    }
    setProblems(found)
    if (Object.keys(found).length > 0) return
    // The button learns of the first click a moment too late to refuse a second one by itself.
    busy.current = true
    write.mutate(
      { channel, leadId: lead._id, subject, message },
      {
        onSuccess: ({ smsTracking }) => {
          const until = channel === 'sms' ? smsTracking[0]?.waitsUntil : null
          notify(
            'done',
            until
              ? `The SMS waits until ${instantLabel(until)}: texts rest at night where ${firstNameOf(lead.name)} is.`
              : `${name} sent successfully!`,
          )
          onSent()
        },
        onError: (error) => {
          const isGone = error instanceof LeadNotFound
          notify(
            'error',
            isGone ? error.message : `Failed to send ${channel === 'email' ? 'email' : 'SMS'}: ${messageOf(error)}`,
          )
        },
        onSettled: () => {
          busy.current = false
        },
      },
    )
  }
  // What was wrong with a field is over once something else stands in it, also when a template put it there.
  const set = (field: keyof Problems, put: (text: string) => void) => (text: string) => {
    put(text)
    setProblems((before) => ({ ...before, [field]: undefined }))
  }
  return {
    subject,
    setSubject: set('subject', setSubject),
    message,
    setMessage: set('message', setMessage),
    problems,
    submit,
    isSending: write.isPending,
  }
}
