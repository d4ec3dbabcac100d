import { useEffect, useState } from 'react'
import type { ChatLine } from '../../chat/rules.ts'
import type { Crew } from '../data.ts'
import type { ChatTexts } from './chatTexts.ts'

/** Bytes that are on this phone, as a picture. */
const useOwnPicture = (crew: Crew, id: string): string | null => {
  const [url, setUrl] = useState<string | null>(null)
  const waits = crew.state.photos.some((photo) => photo.id === id)
  const { outbox } = crew
  useEffect(() => {
    if (!waits) return
    let made: string | null = null
    let over = false
    void outbox.photoBlob(id).then((blob) => {
      if (!blob || over) return
      made = URL.createObjectURL(blob)
      setUrl(made)
    })
    return () => {
      over = true
      if (made) URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [outbox, id, waits])
  return url
}

const ChatPhoto = ({ crew, line, id, url, words }: Props & { id: string; url: string | null }) => {
  const own = useOwnPicture(crew, id)
  const [failed, setFailed] = useState<string | null>(null)
  const src = url ?? own
  if (src === null || failed === src)
    return <span className="c-say__nophoto">{src === null ? words.photoComing : words.photoNeedsSignal}</span>
  const alt = line.mine ? words.myPhoto : words.photoOf(line.by.name)
  const picture = <img src={src} alt={alt} onError={() => setFailed(src)} />
  return url ? (
    <a href={url} target="_blank" rel="noreferrer">
      {picture}
    </a>
  ) : (
    picture
  )
}

type Props = { crew: Crew; line: ChatLine; words: ChatTexts }

/** The photos of a message: from the server, from this phone while they wait, or that they are on their way. */
export const ChatPhotos = (props: Props) => (
  <span className="c-say__photos">
    {props.line.photos.map(({ id, url }) => (
      <ChatPhoto key={id} {...props} id={id} url={url} />
    ))}
  </span>
)
