import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { formatDay } from '../../../shared/dates.ts'
import { recordParam } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconCamera, IconMapPin, IconSend, IconX } from '../../../ui/icons.ts'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { useTextDraft } from '../../../ui/textDraft.ts'
import { useParams } from '../../../ui/useParams.ts'
import { useUser } from '../../accounts/web/session.ts'
import { visitQuery } from '../../visits/web/data.ts'
import { type ChatThread, chatApi } from '../contract.ts'
import { countedFrom, mostCharacters, mostPhotos, tidyText } from '../rules.ts'
import { useWrite } from './data.ts'
import { threadName } from './names.ts'

type Chosen = { id: string; file: File; url: string }

const About = ({ visitId, onRemove }: { visitId: string; onRemove: () => void }) => {
  const visit = useQuery(visitQuery(visitId)).data
  return visit ? (
    <span className="chat-chip">
      <IconMapPin size={15} aria-hidden="true" />
      About {visit.street}
      {visit.day ? `, ${formatDay(visit.day)}` : ''}
      <IconButton size="s" kind="quiet" label="Not about this visit" icon={<IconX />} onClick={onRemove} />
    </span>
  ) : null
}

const usePhotos = () => {
  const [photos, setPhotos] = useState<Chosen[]>([])
  const [tooMany, setTooMany] = useState(false)
  const all = useRef(photos)
  all.current = photos
  useEffect(
    () => () => {
      for (const { url } of all.current) URL.revokeObjectURL(url)
    },
    [],
  )
  const add = (files: readonly File[]) => {
    const made = files.map((file) => ({ id: crypto.randomUUID(), file, url: URL.createObjectURL(file) }))
    setTooMany(photos.length + made.length > mostPhotos)
    setPhotos([...photos, ...made].slice(0, mostPhotos))
  }
  return {
    photos,
    tooMany,
    add,
    remove: (id: string) => setPhotos(photos.filter((one) => one.id !== id)),
    clear: () => setPhotos([]),
  }
}

/** Writes to a thread: Enter sends, Shift and Enter begin a line. What is typed stays with its thread until it is on its way. */
export const ChatComposer = ({ thread }: { thread: ChatThread }) => {
  const user = useUser()
  const { params, change } = useParams()
  const visitId = params.get(recordParam.about)
  const [text, type] = useTextDraft(`chat.${user._id}.${thread.id}`)
  const { photos, tooMany, add, remove, clear } = usePhotos()
  const { write, deliver, unsent } = useWrite(thread.id)
  const [empty, setEmpty] = useState(false)
  const busy = useRef(false)
  const picker = useRef<HTMLInputElement>(null)
  const name = threadName(thread)
  const left = mostCharacters - tidyText(text).length
  const notAbout = () => change({ [recordParam.about]: null }, { replace: true })
  const send = () => {
    if (busy.current || left < 0) return
    const nothing = tidyText(text) === '' && photos.length === 0
    setEmpty(nothing)
    if (nothing) return
    // The button learns of the first press a moment too late to refuse a second one by itself.
    busy.current = true
    write.mutate(
      { text, visitId, photos },
      {
        onSuccess: () => {
          type('')
          clear()
          if (visitId) notAbout()
        },
        onSettled: () => {
          busy.current = false
        },
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    if (!(event.target instanceof HTMLTextAreaElement)) return
    event.preventDefault()
    send()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const problem = empty
    ? 'Write something or add a photo first.'
    : left < 0
      ? `${-left} ${left === -1 ? 'character' : 'characters'} too many. Shorten it, or send it in two.`
      : undefined
  return (
    <form className="composer" onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate aria-label={`Write to ${name}`}>
      {visitId ? <About visitId={visitId} onRemove={notAbout} /> : null}
      {photos.length > 0 ? (
        <ul className="chat-chosen">
          {photos.map(({ id, url }, at) => (
            <li key={id}>
              <img src={url} alt={`To be sent, ${at + 1} of ${photos.length}`} />
              <IconButton size="s" label={`Remove photo ${at + 1}`} icon={<IconX />} onClick={() => remove(id)} />
            </li>
          ))}
        </ul>
      ) : null}
      <TextAreaField
        label={`Message to ${name}`}
        hideLabel
        rows={2}
        placeholder={`Message to ${name}`}
        value={text}
        onChange={(next) => {
          setEmpty(false)
          type(next)
        }}
        error={problem}
        hint={left < countedFrom ? `${left} characters left` : undefined}
      />
      <div className="composer__foot">
        <span>
          <Button icon={<IconCamera />} onClick={() => picker.current?.click()}>
            Photo
          </Button>
          <input
            ref={picker}
            className="ui-hidden"
            type="file"
            accept="image/*"
            multiple
            tabIndex={-1}
            aria-hidden="true"
            onChange={(event) => {
              const files = [...(event.target.files ?? [])]
              event.target.value = ''
              if (files.length > 0) add(files)
            }}
          />
        </span>
        <span className="hint chat-keys">Enter sends, Shift + Enter begins a line</span>
        <Button type="submit" kind="primary" calls={chatApi.send} icon={<IconSend />} loading={write.isPending}>
          Send
        </Button>
      </div>
      {tooMany ? <Banner tone="warn">At most {mostPhotos} photos go with one message.</Banner> : null}
      {unsent && deliver.isError ? (
        <Banner
          tone="error"
          action={
            <Button size="s" loading={deliver.isPending} onClick={() => deliver.mutate(unsent)}>
              Send again
            </Button>
          }
        >
          {unsent.photos.length === 1 ? 'A photo' : `${unsent.photos.length} photos`} did not arrive. The words did, and
          nothing was lost.
        </Banner>
      ) : null}
      {write.isError ? (
        <Banner tone="error">
          {write.error instanceof ApiError && write.error.status > 0
            ? write.error.message
            : 'This did not leave. What you wrote is still here; try again when you are online.'}
        </Banner>
      ) : null}
    </form>
  )
}
