import { Fragment, useEffect, useLayoutEffect, useRef } from 'react'
import { dayOf } from '../../../../shared/dates.ts'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import type { ChatLine } from '../../chat/rules.ts'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { dayLabel, timeOf } from '../labels.ts'
import { ChatPhotos } from './ChatPhotos.tsx'
import type { ChatTexts } from './chatTexts.ts'
import type { OpenThread } from './useChat.ts'

const fateOf = (line: ChatLine, { t, timeZone }: Crew, words: ChatTexts): string => {
  if (line.state === 'refused') return `${words.refused}: ${t.reasons[line.reason ?? ''] ?? t.reasons.rejected ?? ''}`
  if (line.state !== 'sent') return line.state === 'sending' ? words.sending : words.onPhone
  const [reader] = line.readBy
  if (!reader) return words.sent
  return line.readCount > 1
    ? words.readByMore(reader.name, line.readCount - 1)
    : words.readBy(reader.name, timeOf(reader.at, timeZone))
}

const Line = ({ crew, line, words, onStop }: LineProps) => {
  const stop = line.visit && findStop(crew, line.visit.id)
  const about = line.visit ? words.about(line.visit.street) : null
  return (
    <li className={`c-say${line.mine ? ' is-mine' : ''} is-${line.state}`}>
      {line.mine ? null : (
        <span className="c-say__who">{line.by.office ? words.fromOffice(line.by.name) : line.by.name}</span>
      )}
      <div className="c-say__in">
        {about ? (
          stop ? (
            <button type="button" className="c-say__about" onClick={() => onStop(stop)}>
              {about}
            </button>
          ) : (
            <span className="c-say__about">{about}</span>
          )
        ) : null}
        {line.text ? <p>{line.text}</p> : null}
        {line.photos.length > 0 ? <ChatPhotos crew={crew} line={line} words={words} /> : null}
      </div>
      <span className="c-say__meta">
        {timeOf(line.at, crew.timeZone)}
        {line.mine ? ` · ${fateOf(line, crew, words)}` : ''}
      </span>
    </li>
  )
}

type LineProps = { crew: Crew; line: ChatLine; words: ChatTexts; onStop: (stop: CrewStop) => void }

const findStop = ({ bundle }: Crew, visitId: string): CrewStop | null =>
  bundle?.days.flatMap(({ stops }) => stops).find(({ id }) => id === visitId) ?? null

/** Loads what is older when the beginning comes near; a button for the keyboard and after a failure. */
const Older = ({ older, words }: { older: OpenThread['older']; words: ChatTexts }) => {
  const mark = useRef<HTMLDivElement>(null)
  const { hasMore, loading, failed, more } = older
  const latest = useRef(more)
  latest.current = more
  useEffect(() => {
    const element = mark.current
    if (!element || !hasMore || loading || failed) return
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '200px',
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [hasMore, loading, failed])
  if (!hasMore) return null
  return (
    <div ref={mark} className="c-say__older">
      <FieldButton kind="quiet" busy={loading} onClick={more}>
        {failed ? words.olderFailed : words.older}
      </FieldButton>
    </div>
  )
}

/** The end of a conversation is what one comes for; who reads further up stays there, also when older lines come in above. */
const useScroll = (lines: readonly ChatLine[]) => {
  const before = useRef({ first: '', last: '', height: 0 })
  const first = lines[0]?.id ?? ''
  const last = lines.at(-1)
  useLayoutEffect(() => {
    const page = document.documentElement
    const { first: knownFirst, last: knownLast, height } = before.current
    const nearEnd = height - window.scrollY - window.innerHeight < 160
    if (last && last.id !== knownLast && (knownLast === '' || nearEnd || last.mine))
      window.scrollTo(0, page.scrollHeight)
    else if (knownFirst !== '' && first !== knownFirst) window.scrollBy(0, page.scrollHeight - height)
    before.current = { first, last: last?.id ?? '', height: page.scrollHeight }
  })
}

type Props = { crew: Crew; thread: OpenThread; words: ChatTexts; label: string; onStop: (stop: CrewStop) => void }

/** What was said, oldest first, with what this phone has not sent at the end. */
export const ChatLines = ({ crew, thread, words, label, onStop }: Props) => {
  const { lines } = thread
  useScroll(lines)
  const days = lines.map(({ at }) => dayOf(at, crew.timeZone))
  return (
    <section className="c-says" aria-label={label}>
      <Older older={thread.older} words={words} />
      <ol aria-live="polite">
        {lines.map((line, at) => (
          <Fragment key={line.id}>
            {days[at] !== days[at - 1] ? (
              <li className="c-says__day">{dayLabel(days[at] ?? '', crew.today, crew.t)}</li>
            ) : null}
            <Line crew={crew} line={line} words={words} onStop={onStop} />
          </Fragment>
        ))}
      </ol>
    </section>
  )
}
