import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatTime } from '../../../shared/dates.ts'
import { formatPhone, toE164 } from '../../../shared/phone.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconArrowLeft, IconCamera, IconPhone, IconPlus, IconSend } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMaybeUser } from '../../accounts/web/session.ts'
import type { Message } from '../contract.ts'
import { statusOf } from '../rules.ts'
import { phoneQuery, useAddMedium, usePhone } from './data.ts'
import { LinkedText } from './LinkedText.tsx'
import { LocalFrame } from './LocalFrame.tsx'
import { MessagePhotos } from './MessagePhotos.tsx'

const Handset = ({
  number,
  messages,
  onBack,
}: {
  number: string
  messages: readonly Message[]
  onBack: () => void
}) => {
  const phone = usePhone()
  const [text, setText] = useState('')
  const picker = useRef<HTMLInputElement>(null)
  const add = useAddMedium()
  const user = useMaybeUser()
  const zone = user?.business.timeZone ?? 'UTC'
  const scroller = useRef<HTMLElement>(null)
  const lastId = messages.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text brings the end into view
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [lastId])
  const reply = (label: string) => {
    if (label.trim() === '' || phone.isPending) return
    phone.mutate(
      { kind: 'reply', from: number, text: label, media: [] },
      { onSuccess: () => label === text && setText(''), onError: toast.error },
    )
  }
  /** Whatever is typed goes along, as it does on a phone. */
  const sendFiles = async (files: readonly File[]) => {
    try {
      const media: { ref: string; mime: string }[] = []
      for (const file of files.slice(0, 10)) media.push(await add.mutateAsync(file))
      await phone.mutateAsync({ kind: 'reply', from: number, text: text.trim(), media })
      setText('')
    } catch (error) {
      toast.error(error)
    }
  }
  const dial = (status: 'no-answer' | 'completed') =>
    phone.mutate(
      { kind: 'call', from: number, status },
      {
        onSuccess: () => toast.success(status === 'completed' ? 'Somebody took the call' : 'The call was missed'),
        onError: toast.error,
      },
    )
  const name = messages.find((message) => message.customer)?.customer?.name
  return (
    <div className="handset">
      <header>
        <IconButton
          className="local-open__back"
          label="All phones"
          icon={<IconArrowLeft />}
          onClick={onBack}
          tooltip={false}
        />
        <div>
          <h2>{name ?? formatPhone(number)}</h2>
          <span className="hint">{name ? `the phone of ${formatPhone(number)}` : 'not one of your customers'}</span>
        </div>
      </header>
      <section
        ref={scroller}
        className="handset__talk"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
        tabIndex={0}
        aria-label={`Texts on the phone of ${name ?? number}`}
      >
        {messages.length === 0 ? <p className="hint handset__none">Nothing was texted with this number yet.</p> : null}
        <ol>
          {messages.map((message) => {
            const theirs = message.direction === 'outbound'
            const open = theirs && (message.status === 'sent' || message.status === 'unknown')
            return (
              <li key={message.id} className={theirs ? 'is-in' : 'is-out'}>
                <p>
                  <LinkedText text={message.text} />
                </p>
                <MessagePhotos photos={message.photos} mine={theirs} />
                <span className="handset__meta hint num">
                  {formatTime(message.createdAt, zone)}
                  {theirs ? ` · ${message.segments === 1 ? '1 segment' : `${message.segments} segments`} · ` : ''}
                  {theirs ? statusOf(message, zone).label.toLowerCase() : ''}
                  {message.reason ? `: ${message.reason}` : ''}
                </span>
                {open ? (
                  <span className="handset__acts">
                    <Button
                      size="s"
                      onClick={() =>
                        phone.mutate(
                          { kind: 'status', messageId: message.id, status: 'delivered' },
                          { onError: toast.error },
                        )
                      }
                    >
                      Delivered
                    </Button>
                    <Button
                      size="s"
                      kind="danger"
                      onClick={() =>
                        phone.mutate(
                          { kind: 'status', messageId: message.id, status: 'failed' },
                          { onError: toast.error },
                        )
                      }
                    >
                      Failed
                    </Button>
                  </span>
                ) : null}
              </li>
            )
          })}
        </ol>
      </section>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          reply(text)
        }}
      >
        <div className="handset__quick">
          <Button size="s" icon={<IconPhone />} onClick={() => dial('no-answer')}>
            Call, nobody picks up
          </Button>
          <Button size="s" icon={<IconPhone />} onClick={() => dial('completed')}>
            Call, somebody answers
          </Button>
          {['STOP', 'HELP', 'START'].map((word) => (
            <Button key={word} size="s" onClick={() => reply(word)}>
              {word}
            </Button>
          ))}
        </div>
        <div className="handset__write">
          <TextField
            label="Text to the business"
            hideLabel
            placeholder={`Text ${user?.business.name ?? 'the business'}`}
            value={text}
            onChange={setText}
            maxLength={640}
            autoComplete="off"
          />
          <span>
            <IconButton
              label="Send photos"
              icon={<IconCamera />}
              loading={add.isPending}
              onClick={() => picker.current?.click()}
            />
            <input
              ref={picker}
              className="ui-hidden"
              type="file"
              multiple
              tabIndex={-1}
              aria-hidden="true"
              onChange={(event) => {
                const files = [...(event.target.files ?? [])]
                event.target.value = ''
                if (files.length > 0) void sendFiles(files)
              }}
            />
          </span>
          <Button type="submit" icon={<IconSend />} loading={phone.isPending} disabled={text.trim() === ''}>
            Send
          </Button>
        </div>
      </form>
    </div>
  )
}

const Phones = () => {
  const [params, setParams] = useSearchParams()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | undefined>()
  const found = useQuery(phoneQuery)
  const number = params.get('number')
  const open = (value: string | null) => setParams(value ? { number: value } : {})
  if (found.isError && !found.data)
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data) return <PanelSkeleton />
  const threads = Map.groupBy(found.data.items, (message) => message.address)
  const other = (event: FormEvent) => {
    event.preventDefault()
    const e164 = toE164(typed)
    setWrong(e164 ? undefined : 'Ten digits, like (912) 555-0123.')
    if (!e164) return
    setTyped('')
    open(e164)
  }
  return (
    <div className={`local-panes${number ? ' has-open' : ''}`}>
      <section className="local-list" aria-label="Phones">
        <form className="local-find" onSubmit={other}>
          <TextField
            label="Use another phone"
            placeholder="(912) 555-0123"
            inputMode="numeric"
            value={typed}
            onChange={setTyped}
            error={wrong}
            autoComplete="off"
          />
          <Button type="submit" size="s" icon={<IconPlus />}>
            Pick it up
          </Button>
        </form>
        {threads.size === 0 ? (
          <EmptyState compact title="No phone has a text yet">
            Text a customer from Customer Messages, or pick up any phone above and text the business.
          </EmptyState>
        ) : (
          <ul>
            {[...threads].map(([address, list]) => (
              <li key={address}>
                <button
                  type="button"
                  className="local-item"
                  aria-current={address === number ? 'true' : undefined}
                  onClick={() => open(address)}
                >
                  <span className="local-item__words">
                    <b>{list.find((message) => message.customer)?.customer?.name ?? formatPhone(address)}</b>
                    <span className="hint local-item__one">{list[0]?.text}</span>
                  </span>
                  <span className="hint num">{list.length}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="local-open local-open--phone" aria-label="The phone">
        {number ? (
          <Handset
            key={number}
            number={number}
            messages={(threads.get(number) ?? []).toReversed()}
            onBack={() => open(null)}
          />
        ) : (
          <EmptyState picture="none" title="Pick up a phone">
            You hold the customer's phone: read what came, answer, or say that it never arrived.
          </EmptyState>
        )}
      </section>
    </div>
  )
}

/** The customers' phones while no SMS provider is set up: what arrives, what they answer, what goes wrong. */
export const LocalPhoneScreen = () => (
  <LocalFrame
    title="Local phone"
    lead={() => 'The phones of your customers, played by you. No text leaves this computer.'}
  >
    <Phones />
  </LocalFrame>
)
