import { useEffect, useId, useState } from 'react'
import { PhotoButton } from '../../../../ui/field/PhotoButton.tsx'
import { IconSend, IconX } from '../../../../ui/icons.ts'
import { useTextDraft } from '../../../../ui/textDraft.ts'
import { toast } from '../../../../ui/toast.tsx'
import { countedFrom, isSendable, mostCharacters, mostPhotos } from '../../../chat/rules.ts'
import type { Crew } from '../data.ts'
import { hasRoom } from '../photo.ts'
import type { ChatTexts } from './chatTexts.ts'

const Chosen = ({ file, label, onRemove }: { file: File; label: string; onRemove: () => void }) => {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <li>
      {url ? <img src={url} alt="" /> : null}
      <button type="button" aria-label={label} onClick={onRemove}>
        <IconX aria-hidden="true" />
      </button>
    </li>
  )
}

type Props = {
  crew: Crew
  words: ChatTexts
  /** Names the draft. */
  threadId: string
  to: string
  about: { id: string; street: string } | null
  onNotAbout: () => void
  onSay: (text: string, files: readonly File[], aboutVisitId: string | null) => Promise<void>
}

/** Where one writes: words, photos, and the stop it is about. What is typed stays until it is on its way. */
export const ChatComposer = ({ crew, words, threadId, to, about, onNotAbout, onSay }: Props) => {
  const id = useId()
  const [text, type] = useTextDraft(`chat.${crew.outbox.userId}.${threadId}`)
  const [files, setFiles] = useState<File[]>([])
  const [busy, setBusy] = useState(false)
  const left = mostCharacters - text.trim().length
  const take = async (more: File[]) => {
    if (!(await hasRoom())) return void toast.error(crew.t.noRoom)
    if (files.length + more.length > mostPhotos) toast.error(words.mostPhotos(mostPhotos))
    setFiles([...files, ...more].slice(0, mostPhotos))
  }
  const send = async () => {
    if (busy) return
    if (!isSendable({ text, photoCount: files.length })) {
      if (left >= 0) toast.error(words.isAlreadyEmpty)
      return
    }
    setBusy(true)
    try {
      await onSay(text.trim(), files, about?.id ?? null)
      type('')
      setFiles([])
      onNotAbout()
    } catch {
      toast.error(crew.t.notSaved)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="c-write"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {about ? (
        <span className="c-write__about">
          <span>{words.about(about.street)}</span>
          <button type="button" aria-label={words.notAbout} onClick={onNotAbout}>
            <IconX aria-hidden="true" />
          </button>
        </span>
      ) : null}
      {files.length > 0 ? (
        <ul className="c-write__photos">
          {files.map((file, at) => (
            <Chosen
              // biome-ignore lint/suspicious/noArrayIndexKey: a file has no name of its own
              key={`${file.name} ${at}`}
              file={file}
              label={words.removePhoto}
              onRemove={() => setFiles(files.filter((one) => one !== file))}
            />
          ))}
        </ul>
      ) : null}
      {left < countedFrom ? (
        <span id={`${id}-left`} className={`c-write__left${left < 0 ? ' is-over' : ''}`} role="status">
          {left < 0 ? words.tooLong(-left) : words.left(left)}
        </span>
      ) : null}
      <div className="c-write__row">
        <PhotoButton multiple onPhotos={(more) => void take(more)}>
          <span className="ui-hidden">{words.photo}</span>
        </PhotoButton>
        <label htmlFor={id} className="ui-hidden">
          {words.message}
        </label>
        <textarea
          id={id}
          rows={1}
          value={text}
          placeholder={words.placeholder(to)}
          aria-invalid={left < 0 || undefined}
          aria-describedby={left < countedFrom ? `${id}-left` : undefined}
          onChange={(event) => type(event.target.value)}
        />
        <button type="submit" className="c-write__send" aria-label={words.send} disabled={left < 0} aria-busy={busy}>
          <IconSend aria-hidden="true" />
        </button>
      </div>
    </form>
  )
}
