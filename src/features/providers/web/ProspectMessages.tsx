import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { BodyOf, ResponseOf } from '../../../shared/endpoint.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useOwner } from '../../owner/web/session.ts'
import { providersApi } from '../contract.ts'

type Item = ResponseOf<typeof providersApi.localOutbox>['items'][number]
type Act = BodyOf<typeof providersApi.localAct>

/** The mail as it left, in a frame where no script of it runs; its picture is fetched as in a mailbox. */
const framed = (html: string): string =>
  `<!doctype html><base target="_blank"><meta name="viewport" content="width=device-width"><body style="margin:0">${html}</body>`

const Open = ({ item }: { item: Item }) => {
  const { ask } = useOwner()
  const client = useQueryClient()
  const [text, setText] = useState('')
  const act = useMutation({
    mutationFn: (body: Act) => ask(providersApi.localAct, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['desk'] }),
    onError: toast.error,
  })
  const mail = item.channel === 'email'
  const ours = item.direction === 'outbound'
  const done = (words: string) => ({ onSuccess: () => toast.success(words) })
  const reply = (words: string) =>
    act.mutate(
      mail ? { kind: 'mail', messageId: item.id, text: words } : { kind: 'text', leadId: item.leadId, text: words },
      {
        onSuccess: () => {
          setText('')
          toast.success('The answer is on its way into the conversation')
        },
      },
    )
  return (
    <section className="play__open" aria-label="The message">
      <header>
        <h2>{mail ? item.subject || 'No subject' : 'Text'}</h2>
        <span className="hint">
          {ours ? 'to' : 'from'} {item.name}, {item.address}
        </span>
        <Badge tone={item.status === 'failed' || item.status === 'suppressed' ? 'late' : 'neutral'}>
          {item.status}
        </Badge>
      </header>
      {item.html ? (
        <iframe
          title="The mail as it left"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={framed(item.html)}
        />
      ) : (
        <p className="play__text">{item.text}</p>
      )}
      {ours && item.html ? (
        <p className="hint">Opened in the first 30 seconds after sending it counts as a machine, later as a person.</p>
      ) : null}
      {ours && (item.status === 'sent' || item.status === 'delivered') ? (
        <>
          <div className="play__acts">
            {mail ? (
              <Button
                size="s"
                kind="danger"
                onClick={() => act.mutate({ kind: 'bounce', messageId: item.id }, done('It comes back'))}
              >
                Let it come back
              </Button>
            ) : (
              (['delivered', 'read', 'failed'] as const).map((status) => (
                <Button
                  key={status}
                  size="s"
                  onClick={() =>
                    act.mutate({ kind: 'status', messageId: item.id, status }, done(`Reported as ${status}`))
                  }
                >
                  {{ delivered: 'Delivered', read: 'Read', failed: 'Failed' }[status]}
                </Button>
              ))
            )}
            {mail
              ? null
              : ['STOP', 'HELP', 'START'].map((word) => (
                  <Button key={word} size="s" onClick={() => reply(word)}>
                    {word}
                  </Button>
                ))}
          </div>
          <form
            className="play__reply"
            onSubmit={(event: FormEvent) => {
              event.preventDefault()
              if (text.trim() !== '' && !act.isPending) reply(text)
            }}
          >
            <TextAreaField label={`Reply as ${item.name}`} rows={3} value={text} onChange={setText} maxLength={640} />
            <Button type="submit" kind="primary" loading={act.isPending} disabled={text.trim() === ''}>
              Reply
            </Button>
          </form>
        </>
      ) : null}
    </section>
  )
}

/** Everything that went to and came from prospects, the newest first. */
export const ProspectMessages = () => {
  const { ask } = useOwner()
  const [openId, setOpenId] = useState<string | null>(null)
  const found = useQuery({
    queryKey: ['desk', 'local'],
    queryFn: ({ signal }) => ask(providersApi.localOutbox, {}, { signal }),
    refetchInterval: 3_000,
  })
  if (found.isError && !found.data)
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data) return <PanelSkeleton />
  const { items, mailLeaves } = found.data
  const open = items.find((item) => item.id === openId)
  if (items.length === 0)
    return (
      <EmptyState picture="none" title="Nothing was sent yet">
        Write to a lead on the leads dashboard; it arrives here.
      </EmptyState>
    )
  return (
    <>
      {mailLeaves ? <Banner tone="warn">A mail server is set: mail really leaves. Texts stay here.</Banner> : null}
      <div className="play__panes">
        <ul aria-label="Messages">
          {items.map((item) => (
            <li key={item.id}>
              <button
                type="button"
                aria-current={item.id === openId ? 'true' : undefined}
                onClick={() => setOpenId(item.id)}
              >
                <b>{item.channel === 'email' ? item.subject || 'No subject' : item.text}</b>
                <span className="hint">
                  {item.channel === 'email' ? 'Mail' : 'Text'} {item.direction === 'outbound' ? 'to' : 'from'}{' '}
                  {item.name} · <RelativeTime at={item.createdAt} />
                </span>
              </button>
            </li>
          ))}
        </ul>
        {open ? (
          <Open key={open.id} item={open} />
        ) : (
          <EmptyState picture="none" title="Choose a message">
            Its links work, and its answer reaches the conversation as a real one would.
          </EmptyState>
        )}
      </div>
    </>
  )
}
