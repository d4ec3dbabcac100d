import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { IconSend } from '../../../ui/icons.ts'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type Contact, messagesApi } from '../contract.ts'
import { type Channel, costlyLabel, plainText, smsSegments } from '../rules.ts'
import { type MessageInput, usageQuery, useWrite } from './data.ts'
import { addressLabel } from './labels.ts'

const mostCharacters = 160

const Counter = ({ text, onPlain }: { text: string; onPlain: (text: string) => void }) => {
  const usage = useQuery(usageQuery).data
  const { segments, plain } = smsSegments(text)
  const better = plainText(text)
  const helps = better !== text && smsSegments(better).segments <= segments && smsSegments(better).plain
  return (
    <div className="composer__count" aria-live="polite">
      <span className="num">
        {text.length}/{mostCharacters}
      </span>
      {plain && segments === 1 ? (
        usage?.segmentLimit == null ? null : (
          <span className="hint num">
            {(usage.segmentLimit - usage.segmentsUsed).toLocaleString('en-US')} of{' '}
            {usage.segmentLimit.toLocaleString('en-US')} SMS segments left this month
          </span>
        )
      ) : (
        <span className="hint">
          Costs {segments === 1 ? '1 segment' : `${segments} segments`}
          {plain ? '' : `: ${costlyLabel(text)}`}.{' '}
          {helps ? (
            <button type="button" className="composer__plain" onClick={() => onPlain(better)}>
              Use plain characters
            </button>
          ) : null}
        </span>
      )}
    </div>
  )
}

const refusal = (contact: Contact, channel: Channel): string | null => {
  if (channel === 'sms') {
    if (!contact.phone) return `${contact.name} has no mobile number on file.`
    return contact.smsSuppressed
      ? `${contact.name} does not want texts (${contact.smsSuppressed.toLowerCase()}). Only they can turn them on again, by replying START.`
      : null
  }
  if (!contact.email) return `${contact.name} has no e-mail on file.`
  return contact.emailSuppressed ? `Mail to ${contact.email} does not arrive: ${contact.emailSuppressed}.` : null
}

type Props = { contact: Contact; preferred: Channel }

/** Writes to one customer, for who may. What is typed stays until it is on its way. */
export const Composer = (props: Props) => (useMay()(messagesApi.sendText) ? <ToCustomer {...props} /> : null)

const ToCustomer = (props: Props) => <Writer {...props} write={useWrite(props.contact.id)} />

type Write = {
  mutate: (input: MessageInput, on: { onSuccess: () => void; onSettled: () => void }) => void
  isPending: boolean
  isError: boolean
  error: unknown
}

/** Writes to whoever the given mutation writes to. */
export const Writer = ({ contact, preferred, write }: Props & { write: Write }) => {
  const usable = refusal(contact, preferred) === null ? preferred : preferred === 'sms' ? 'email' : 'sms'
  const [channel, setChannel] = useState<Channel>(refusal(contact, usable) === null ? usable : preferred)
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<{ subject?: string; text?: string }>({})
  const busy = useRef(false)
  const reason = refusal(contact, channel)
  const sms = channel === 'sms'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy.current || reason) return
    const problems = {
      ...(text.trim() === '' ? { text: 'Write something first.' } : {}),
      ...(!sms && subject.trim() === '' ? { subject: 'A subject is needed.' } : {}),
    }
    setWrong(problems)
    if (Object.keys(problems).length > 0) return
    // The button learns of the first click a moment too late to refuse a second one by itself.
    busy.current = true
    write.mutate(
      { channel, subject, text },
      {
        onSuccess: () => {
          setText('')
          setSubject('')
        },
        onSettled: () => {
          busy.current = false
        },
      },
    )
  }
  return (
    <form className="composer" onSubmit={submit} noValidate aria-label={`Write to ${contact.name}`}>
      <fieldset className="composer__channels">
        <legend className="ui-hidden">How to write</legend>
        {(['sms', 'email'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={channel === one} onClick={() => setChannel(one)}>
            {one === 'sms' ? 'Text' : 'E-mail'}
          </button>
        ))}
        <span className="hint">
          {sms
            ? contact.phone
              ? `to ${addressLabel(contact.phone)}`
              : ''
            : contact.email
              ? `to ${contact.email}`
              : ''}
        </span>
      </fieldset>
      {reason ? (
        <Banner tone="warn">{reason}</Banner>
      ) : (
        <>
          {sms ? null : (
            <TextField
              label="Subject"
              hideLabel
              placeholder="Subject"
              value={subject}
              onChange={setSubject}
              maxLength={200}
              error={wrong.subject}
            />
          )}
          <TextAreaField
            label={sms ? 'Text' : 'Mail'}
            hideLabel
            rows={sms ? 2 : 5}
            placeholder={sms ? 'Write a text' : 'Write a mail'}
            value={text}
            onChange={(next) => setText(sms ? next.slice(0, mostCharacters) : next)}
            error={wrong.text}
          />
          <div className="composer__foot">
            {sms ? <Counter text={text} onPlain={setText} /> : <span />}
            <Button
              type="submit"
              calls={sms ? messagesApi.sendText : messagesApi.sendEmail}
              icon={<IconSend />}
              loading={write.isPending}
            >
              {sms ? 'Send text' : 'Send e-mail'}
            </Button>
          </div>
        </>
      )}
      {write.isError ? (
        <Banner tone="error">
          {write.error instanceof ApiError ? write.error.message : 'This did not leave. What you wrote is still here.'}
        </Banner>
      ) : null}
    </form>
  )
}
