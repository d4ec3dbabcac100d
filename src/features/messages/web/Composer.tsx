import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { keptWork, useKeptWork } from '../../../ui/drafts.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconCamera, IconFileText, IconMail, IconMessage, IconNote, IconSend } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type Contact, messagesApi } from '../contract.ts'
import { conversationsApi } from '../conversations/contract.ts'
import { threadQuery, useAddNote } from '../conversations/web/data.ts'
import { NoteForm } from '../conversations/web/NoteForm.tsx'
import { type MessagePhoto, messagePhotosApi } from '../photos/contract.ts'
import { type Channel, mostCharacters } from '../rules.ts'
import { messageTemplatesApi } from '../templates/contract.ts'
import { holeProblem, holesIn } from '../templates/rules.ts'
import { AnswerChips } from '../templates/web/AnswerChips.tsx'
import { answersQuery } from '../templates/web/data.ts'
import { TemplatePicker } from '../templates/web/TemplatePicker.tsx'
import { useInserting } from '../templates/web/useInserting.ts'
import { Counter } from './Counter.tsx'
import { type MessageInput, useWrite } from './data.ts'
import { addressLabel } from './labels.ts'
import { laterId, restAfter, tooLong } from './typed.ts'
import { useWords, type Words } from './useWords.ts'

const ChosenPhotos = lazyPart(() => import('../photos/web/ChosenPhotos.tsx').then((m) => m.ChosenPhotos))
const PhotoPicker = lazy(() => import('../photos/web/PhotoPicker.tsx').then((m) => ({ default: m.PhotoPicker })))

const ManageTemplates = lazy(() =>
  import('../templates/web/ManageTemplates.tsx').then((m) => ({ default: m.ManageTemplates })),
)

/** A sentence in the middle of another: a word as STOP stays as it is written. */
const within = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

const refusal = (contact: Contact, channel: Channel): string | null => {
  if (channel === 'sms') {
    if (!contact.phone) return `${contact.name} has no mobile number on file.`
    return contact.smsSuppressed
      ? `${contact.name} does not want texts (${within(contact.smsSuppressed)}). Only they can turn them on again, by replying START.`
      : null
  }
  if (!contact.email) return `${contact.name} has no e-mail on file.`
  return contact.emailSuppressed ? `Mail to ${contact.email} does not arrive: ${contact.emailSuppressed}.` : null
}

type Props = { contact: Contact; preferred: Channel }

/** Writes to one customer, for who may. What is typed stays until it is on its way. */
export const Composer = (props: Props) => (useMay()(messagesApi.sendText) ? <ToCustomer {...props} /> : null)

const ToCustomer = (props: Props) => {
  // the thread beside it asks for the same
  const thread = useInfiniteQuery(threadQuery(props.contact.id))
  const [page] = thread.data?.pages ?? []
  const newest = page?.items?.find((item) => item.kind === 'message')
  return (
    <Writer
      {...props}
      write={useWrite(props.contact.id)}
      helped
      newestId={page ? (newest?.kind === 'message' ? newest.message.id : null) : undefined}
    />
  )
}

/** What was written and not sent when somebody looked at another conversation. */
type Unsent = { channel: Channel; subject: string; text: string }

type Write = {
  mutate: (
    input: MessageInput,
    on: { onSuccess: (sent: unknown) => void; onError: (error: unknown) => void; onSettled: () => void },
  ) => void
  isPending: boolean
  isError: boolean
  error: unknown
}

const idIn = (sent: unknown): string | null =>
  typeof sent === 'object' && sent !== null && 'id' in sent && typeof sent.id === 'string' ? sent.id : null

/** Nothing is wrong: somebody else answered, which who writes should see first. */
const isAnswered = (error: unknown): boolean => error instanceof ApiError && error.details?.answered !== undefined

/** Where a slash was just typed that asks for a template: at the beginning, or after a space. */
const slashAt = (before: string, now: string, caret: number): number | null => {
  const at = caret - 1
  return now.length === before.length + 1 && now[at] === '/' && (at === 0 || /\s/.test(now[at - 1] ?? '')) ? at : null
}

/** Suggested answers beside the ways to write, and templates over what is being written to a customer. */
const Help = ({
  contact,
  words,
  mail,
  sms,
  quiet,
  ways,
  picking,
  setPicking,
}: {
  contact: Contact
  words: Words
  mail: { subject: string; put: (subject: string) => void }
  sms: boolean
  /** Nothing is written to the customer now. */
  quiet: boolean
  ways: ReactNode
  picking: { from: number; to: number } | null
  setPicking: (span: { from: number; to: number } | null) => void
}) => {
  const [managing, setManaging] = useState(false)
  const language = useQuery(answersQuery(contact.id)).data?.language ?? 'en'
  const { said, busy, insertAnswer, insertTemplate } = useInserting(contact, words, sms, mail)
  return (
    <>
      <div className="composer__top">
        {quiet ? null : (
          <AnswerChips
            customerId={contact.id}
            busy={busy}
            onPick={(text) => void insertAnswer(text, { from: words.text.length, to: words.text.length })}
          />
        )}
        {ways}
      </div>
      {picking && !quiet ? (
        <TemplatePicker
          language={language}
          onManage={() => setManaging(true)}
          onClose={() => {
            words.select({ from: picking.to, to: picking.to })
            setPicking(null)
          }}
          onPick={(template) => {
            setPicking(null)
            void insertTemplate(template, picking)
          }}
        />
      ) : null}
      {said.length > 0 && !quiet ? (
        <div role="status" className="composer__said">
          {said.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      ) : null}
      {managing ? (
        <Suspense fallback={null}>
          <ManageTemplates onClose={() => setManaging(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Writes to whoever the given mutation writes to; `helped` with templates and answers, which a customer has. */
export const Writer = ({
  contact,
  preferred,
  write,
  helped = false,
  newestId,
}: Props & {
  write: Write
  helped?: boolean
  /** The newest message of the thread that stands beside it; undefined where none does. */
  newestId?: string | null | undefined
}) => {
  const place = `message-${contact.id}`
  const [kept] = useState(() => keptWork<Unsent>(place))
  const usable = refusal(contact, preferred) === null ? preferred : preferred === 'sms' ? 'email' : 'sms'
  const [channel, setChannel] = useState<Channel>(
    kept?.channel ?? (refusal(contact, usable) === null ? usable : preferred),
  )
  const [subject, setSubject] = useState(kept?.subject ?? '')
  const words = useWords(kept?.text)
  const { text, setText } = words
  // of this very text: over another one its span means nothing, and the picker is closed
  const [picked, setPicked] = useState<{ from: number; to: number; text: string } | null>(null)
  const picking = picked?.text === text ? picked : null
  const setPicking = (span: { from: number; to: number } | null) => setPicked(span && { ...span, text })
  const [photos, setPhotos] = useState<readonly MessagePhoto[]>([])
  const [choosing, setChoosing] = useState(false)
  const [sent, setSent] = useState(0)
  const add = useAddNote(contact.id)
  const [note, setNote] = useState<{ open: boolean; text: string }>({ open: false, text: '' })
  const noting = useMay()(conversationsApi.addNote) && helped
  // what was wrong is so of the very words that were sent: it goes as soon as they are others
  const [tried, setTried] = useState<{ text: string; subject: string; channel: Channel }>()
  const [found, setFound] = useState<{ subject?: string; text?: string }>({})
  const isTried = tried?.text === text && tried.subject === subject && tried.channel === channel
  const wrong = isTried ? found : {}
  const counterId = useId()
  // What was seen is what stood there when writing began, or was shown since: an answer of somebody else under one's eyes is easily overlooked.
  const [sentId, setSentId] = useState<string | null>(null)
  const newest = laterId(newestId, sentId)
  const [began, setBegan] = useState(newest)
  const isEmpty = text.trim() === ''
  useEffect(() => {
    if (isEmpty) setBegan(newest)
  }, [isEmpty, newest])
  const busy = useRef(false)
  const reason = refusal(contact, channel)
  const sms = channel === 'sms'
  const isLong = sms && tooLong(text) !== null
  // who looks at another conversation finds it as they left it; what is on its way would leave a second time
  useKeptWork<Unsent>(place, (isEmpty && subject.trim() === '') || write.isPending ? null : { channel, subject, text })
  const textProblem = (): string | null => {
    if (text.trim() === '') return 'Write something first.'
    return helped ? holeProblem(text) : null
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy.current || reason || note.open || isLong) return
    setTried({ text, subject, channel })
    const problem = textProblem()
    const called = sms ? null : subject.trim() === '' ? 'A subject is needed.' : helped ? holeProblem(subject) : null
    const problems = {
      ...(problem ? { text: problem } : {}),
      ...(called ? { subject: called } : {}),
    }
    setFound(problems)
    if (Object.keys(problems).length > 0) {
      const [hole] = helped ? holesIn(text) : []
      const from = hole ? text.indexOf(`{${hole}}`) : -1
      if (hole && from >= 0) words.select({ from, to: from + hole.length + 2 })
      return
    }
    // The button learns of the first click a moment too late to refuse a second one by itself.
    busy.current = true
    write.mutate(
      {
        channel,
        subject,
        text,
        ...(photos.length > 0 ? { photos: photos.map(({ id }) => id) } : {}),
        ...(began === undefined ? {} : { seen: began }),
      },
      {
        onSuccess: (sent) => {
          const id = idIn(sent)
          if (id !== null) {
            setSentId(id)
            setBegan(id)
          }
          setText((now) => restAfter(now, text))
          setSubject((now) => (now === subject ? '' : now))
          setPhotos((now) => now.filter((one) => !photos.includes(one)))
          setSent((count) => count + 1)
        },
        onError: (error) => {
          const answered = error instanceof ApiError ? error.details?.answered : undefined
          if (typeof answered === 'string') setBegan(answered)
        },
        onSettled: () => {
          busy.current = false
        },
      },
    )
  }
  const type = (typed: string) => {
    const next = sms && typed.length > text.length ? typed.slice(0, Math.max(mostCharacters, text.length)) : typed
    const at = helped ? slashAt(text, next, words.field.current?.selectionStart ?? next.length) : null
    setText(next)
    setPicked(at === null ? null : { from: at, to: at + 1, text: next })
  }
  const ways = (
    <fieldset className="composer__channels">
      <legend className="ui-hidden">How to write</legend>
      {(['sms', 'email'] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={channel === one && !note.open}
          onClick={() => {
            setChannel(one)
            setNote({ ...note, open: false })
          }}
        >
          {one === 'sms' ? <IconMessage size={20} aria-hidden="true" /> : <IconMail size={20} aria-hidden="true" />}
          <span>{one === 'sms' ? 'Text' : 'E-mail'}</span>
        </button>
      ))}
      {noting ? (
        <button type="button" aria-pressed={note.open} onClick={() => setNote({ ...note, open: true })}>
          <IconNote size={20} aria-hidden="true" />
          <span>Note</span>
        </button>
      ) : null}
      <span className="hint">
        {note.open
          ? 'for the office'
          : sms
            ? contact.phone
              ? `to ${addressLabel(contact.phone)}`
              : ''
            : contact.email
              ? `to ${contact.email}`
              : ''}
      </span>
    </fieldset>
  )
  return (
    <form className="composer" onSubmit={submit} noValidate aria-label={`Write to ${contact.name}`}>
      {helped ? (
        // afresh for the next message: what was said of one that left is not said of it
        <Help
          key={sent}
          contact={contact}
          words={words}
          mail={{ subject, put: (next) => setSubject((now) => (now.trim() === '' ? next : now)) }}
          sms={sms}
          quiet={reason !== null || note.open}
          ways={ways}
          picking={picking}
          setPicking={setPicking}
        />
      ) : (
        <div className="composer__top">{ways}</div>
      )}
      {note.open ? (
        <NoteForm
          add={add}
          text={note.text}
          setText={(typed) => setNote((now) => ({ ...now, text: typed }))}
          onSave={(saved) =>
            add.mutate(saved, {
              onSuccess: () => setNote((now) => ({ ...now, text: restAfter(now.text, saved) })),
            })
          }
        />
      ) : reason ? (
        <Banner tone="warn">
          {reason}
          {helped && !(sms ? contact.phone : contact.email) ? (
            <>
              {' '}
              <LinkTo href={linkTo.customer(contact.id)}>{sms ? 'Add a mobile number' : 'Add an e-mail'}</LinkTo>
            </>
          ) : null}
        </Banner>
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
            ref={words.field}
            label={sms ? 'Text' : 'Mail'}
            hideLabel
            rows={sms ? 2 : 5}
            placeholder={`${sms ? 'Write a text' : 'Write a mail'}${helped ? ', or / for a template' : ''}`}
            value={text}
            onChange={type}
            error={wrong.text}
          />
          {photos.length > 0 ? (
            <ChosenPhotos photos={photos} onRemove={(id) => setPhotos((now) => now.filter((one) => one.id !== id))} />
          ) : null}
          <div className="composer__foot">
            {sms ? (
              <Counter
                id={counterId}
                text={text}
                holes={helped ? holesIn(text) : []}
                photos={photos.length}
                onPlain={setText}
              />
            ) : (
              <span />
            )}
            <span className="composer__acts">
              {helped ? (
                <IconButton
                  label="Photo"
                  calls={messagePhotosApi.add}
                  icon={<IconCamera />}
                  onClick={() => setChoosing(true)}
                />
              ) : null}
              {helped ? (
                <Button
                  kind="quiet"
                  calls={messageTemplatesApi.list}
                  icon={<IconFileText />}
                  aria-expanded={picking !== null}
                  onClick={() => setPicking(picking ? null : words.caret())}
                >
                  Template
                </Button>
              ) : null}
              <Button
                type="submit"
                calls={sms ? messagesApi.sendText : messagesApi.sendEmail}
                icon={<IconSend />}
                loading={write.isPending}
                disabled={isLong}
                aria-describedby={isLong ? counterId : undefined}
              >
                {sms ? 'Send text' : 'Send e-mail'}
              </Button>
            </span>
          </div>
        </>
      )}
      {choosing ? (
        <Suspense fallback={null}>
          <PhotoPicker
            customerId={contact.id}
            name={contact.name}
            sms={sms}
            chosen={photos}
            onChange={setPhotos}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      ) : null}
      {write.isError && isTried ? (
        <Banner tone={isAnswered(write.error) ? 'warn' : 'error'}>
          {write.error instanceof ApiError ? write.error.message : 'This did not leave. What you wrote is still here.'}
        </Banner>
      ) : null}
    </form>
  )
}
