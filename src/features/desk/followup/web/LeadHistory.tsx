import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { useOwner } from '../../../owner/web/session.ts'
import type { LeadStatus } from '../../../prospects/rules.ts'
import type { Lead } from '../../contract.ts'
import { previewOf } from '../../rules.ts'
import { instantLabel, messageOf, statusNames } from '../../web/labels.ts'
import { useNotify } from '../../web/notice.ts'
import type { Moment } from '../contract.ts'
import { historyQuery, useAddNote } from './data.ts'

type Entry = { id: string; at: string; tone: 'now' | 'neutral' | 'done'; label: string; text: string }

const entryOf = ({ _id, kind, text, author, at }: Moment): Entry => {
  const base = { id: _id, at }
  if (kind === 'note') return { ...base, tone: 'now', label: `Note by ${author}`, text }
  if (kind === 'view') return { ...base, tone: 'neutral', label: 'Looked at', text }
  if (kind === 'account')
    return { ...base, tone: 'done', label: 'Account opened', text: `${text}: the link to set a password was mailed` }
  return { ...base, tone: 'done', label: 'Status', text: statusNames[text as LeadStatus] ?? text }
}

const messagesOf = (lead: Lead): Entry[] =>
  (['email', 'sms'] as const).flatMap((channel) =>
    (channel === 'email' ? lead.emailTracking : lead.smsTracking).map((one) => ({
      id: one._id,
      at: one.sentAt,
      tone: one.direction === 'inbound' ? ('now' as const) : ('neutral' as const),
      label: `${channel === 'email' ? 'Email' : 'SMS'} ${one.direction === 'inbound' ? 'received' : 'sent'}`,
      text: one.subject || previewOf(one.message),
    })),
  )

const first = 8

/** What happened with a lead, newest first: notes, looks at pages, changes of status, messages. */
export const LeadHistory = ({ lead }: { lead: Lead }) => {
  const { ask } = useOwner()
  const notify = useNotify()
  const add = useAddNote(lead._id)
  const [text, setText] = useState('')
  const [all, setAll] = useState(false)
  const history = useQuery(historyQuery(ask, lead._id))
  const entries = [...(history.data ?? []).map(entryOf), ...messagesOf(lead)].toSorted((a, b) =>
    b.at.localeCompare(a.at),
  )
  const save = () =>
    add.mutate(text, {
      onSuccess: () => setText(''),
      onError: (error) => notify('error', `The note was not saved: ${messageOf(error)}`),
    })
  return (
    <section className="desk-sprint" aria-labelledby="desk-history">
      <header>
        <h3 id="desk-history">Notes and history</h3>
      </header>
      <TextAreaField label="New note" rows={2} maxLength={4000} value={text} onChange={setText} />
      <div className="desk-sprint__acts">
        <Button disabled={text.trim() === ''} loading={add.isPending} onClick={save}>
          Add note
        </Button>
      </div>
      {history.isError ? (
        <p className="desk-wrong" role="alert">
          Notes and visits could not be read: {messageOf(history.error)}
        </p>
      ) : null}
      {entries.length === 0 ? null : (
        <ol className="desk-history">
          {(all ? entries : entries.slice(0, first)).map((entry) => (
            <li key={entry.id} className="desk-moment">
              <div className="desk-moment__head">
                <Badge tone={entry.tone}>{entry.label}</Badge>
                <span className="hint num">{instantLabel(entry.at)}</span>
              </div>
              <p>{entry.text}</p>
            </li>
          ))}
        </ol>
      )}
      {all || entries.length <= first ? null : (
        <Button kind="quiet" size="s" onClick={() => setAll(true)}>
          Show all {entries.length}
        </Button>
      )}
    </section>
  )
}
