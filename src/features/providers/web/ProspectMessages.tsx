import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { localProspectsApi } from '../../../local/prospects/contract.ts'
import { call } from '../../../shared/client.ts'
import type { BodyOf, ResponseOf } from '../../../shared/endpoint.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { IconCalendar, IconLock } from '../../../ui/icons.ts'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { LinkedText } from '../../messages/web/LinkedText.tsx'
import { useOwner } from '../../owner/web/session.ts'

type Item = ResponseOf<typeof localProspectsApi.outbox>['items'][number]
type Act = BodyOf<typeof localProspectsApi.act>

/** The mail as it left, in a frame where no script of it runs; its picture is fetched as in a mailbox. */
const framed = (html: string): string =>
  `<!doctype html><base target="_blank"><meta name="viewport" content="width=device-width"><body style="margin:0">${html}</body>`

const Open = ({ item, onSignIn }: { item: Item; onSignIn: () => void }) => {
  const { ask, token } = useOwner()
  const client = useQueryClient()
  const [text, setText] = useState('')
  const act = useMutation({
    mutationFn: (body: Act) => ask(localProspectsApi.act, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['desk'] }),
    onError: toast.error,
  })
  const mail = item.channel === 'email'
  const ours = item.direction === 'outbound'
  const canAct = ours && item.leadId !== null && (item.status === 'sent' || item.status === 'delivered')
  const done = (message: string) => ({ onSuccess: () => toast.success(message) })
  /** Whatever is typed goes along, as it does on a phone. */
  const sendPhotos = async (files: readonly File[]) => {
    try {
      const media: { ref: string; mime: string }[] = []
      for (const file of files)
        media.push(
          await ask(localProspectsApi.addMedium, {
            query: { mime: file.type || 'application/octet-stream' },
            body: file,
          }),
        )
      await act.mutateAsync({ kind: 'text', leadId: item.leadId ?? '', text: text.trim(), media })
      setText('')
      toast.success('The photo is on its way into the conversation')
    } catch (error) {
      if (!act.isError) toast.error(error)
    }
  }
  const reply = (message: string) =>
    act.mutate(
      mail
        ? { kind: 'mail', messageId: item.id, text: message }
        : { kind: 'text', leadId: item.leadId ?? '', text: message, media: [] },
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
          {ours ? 'to' : 'from'} {item.name ? `${item.name}, ` : ''}
          {item.address}
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
        <p className="play__text">
          <LinkedText text={item.text} />
        </p>
      )}
      {item.files.length > 0 ? (
        <div className="play__acts">
          {item.files.map((file) => (
            <Button
              key={file.name}
              size="s"
              icon={<IconCalendar />}
              download={file.name}
              href={`data:text/calendar;charset=utf-8,${encodeURIComponent(file.content)}`}
            >
              {file.name}
            </Button>
          ))}
        </div>
      ) : null}
      {canAct && item.html && token !== null ? (
        <p className="hint">Opened in the first 30 seconds after sending it counts as a machine, later as a person.</p>
      ) : null}
      {canAct && token === null ? (
        <Button icon={<IconLock />} onClick={onSignIn}>
          Sign in to answer as {item.name}
        </Button>
      ) : canAct ? (
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
            {mail ? null : (
              <FileDrop
                label="Send photos"
                hint="What is typed above goes along"
                multiple
                onFiles={(files) => void sendPhotos(files.slice(0, 10))}
              />
            )}
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
export const ProspectMessages = ({ onSignIn }: { onSignIn: () => void }) => {
  const { params, change } = useParams()
  const openId = params.get('message')
  const found = useQuery({
    queryKey: ['desk', 'local'],
    queryFn: ({ signal }) => call(localProspectsApi.outbox, {}, { signal, retries: 1 }),
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
        Apply on the public site, book a call or write to a lead: it appears here the moment it leaves.
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
                onClick={() => change({ message: item.id }, { replace: true })}
              >
                <b>{item.channel === 'email' ? item.subject || 'No subject' : item.text}</b>
                <span className="hint">
                  {item.channel === 'email' ? 'Mail' : 'Text'} {item.direction === 'outbound' ? 'to' : 'from'}{' '}
                  {item.name ?? item.address} · <RelativeTime at={item.createdAt} />
                </span>
              </button>
            </li>
          ))}
        </ul>
        {open ? (
          <Open key={open.id} item={open} onSignIn={onSignIn} />
        ) : (
          <EmptyState picture="none" title="Choose a message">
            You can open its links, and an answer reaches the conversation as a real one would.
          </EmptyState>
        )}
      </div>
    </>
  )
}
