import { useState } from 'react'
import { linkTo, recordParam } from '../../../../shared/links.ts'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../../ui/field/FieldCard.tsx'
import { FieldEmpty } from '../../../../ui/field/FieldEmpty.tsx'
import { FieldScreen } from '../../../../ui/field/FieldScreen.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { useParams } from '../../../../ui/useParams.ts'
import { useOnlyLooks, useUser } from '../../../accounts/web/session.ts'
import type { ChatThread } from '../../../chat/contract.ts'
import { unreadOf } from '../../chat/rules.ts'
import type { CrewStop } from '../../contract.ts'
import { CrewHeader } from '../CrewHeader.tsx'
import { type Crew, useCrew } from '../data.ts'
import { NotLoaded } from '../NotLoaded.tsx'
import { StopSheet } from '../StopSheet.tsx'
import type { CrewScreenProps } from '../TodayScreen.tsx'
import { ChatComposer } from './ChatComposer.tsx'
import { ChatLines } from './ChatLines.tsx'
import { type ChatTexts, chatTexts } from './chatTexts.ts'
import { useChat, useThread } from './useChat.ts'
import './chat.css'

const nameOf = (thread: ChatThread, words: ChatTexts): string =>
  thread.kind === 'person' ? words.office : thread.kind === 'crew' ? thread.name : words.everybody

/** One's own first, then the crews, then what everybody reads; a thread in which nothing can be done or read is left out. */
const shownThreads = (threads: readonly ChatThread[]): ChatThread[] => {
  const place = { person: 0, crew: 1, everybody: 2 }
  return threads
    .filter((thread) => thread.kind !== 'everybody' || thread.lastNumber > 0)
    .sort((a, b) => place[a.kind] - place[b.kind] || a.name.localeCompare(b.name))
}

const Threads = ({ threads, currentId, words, crew }: PickProps) => {
  const { state } = useChat(crew)
  return (
    <nav className="c-threads" aria-label={words.threads}>
      {threads.map((thread) => {
        const unread = unreadOf(state, thread)
        return (
          <LinkTo
            key={thread.id}
            href={linkTo.crewChat({ threadId: thread.id })}
            aria-current={thread.id === currentId ? 'page' : undefined}
          >
            {nameOf(thread, words)}
            {unread > 0 && thread.id !== currentId ? (
              <b>
                {unread}
                <span className="ui-hidden"> {words.newOnes(unread).replace(/^\d+ /, '')}</span>
              </b>
            ) : null}
          </LinkTo>
        )
      })}
    </nav>
  )
}

type PickProps = { threads: readonly ChatThread[]; currentId: string; words: ChatTexts; crew: Crew }

const whyClosed = (thread: ChatThread, onlyLooks: boolean, words: ChatTexts): string => {
  if (thread.kind === 'everybody') return words.onlyOffice
  if (onlyLooks) return words.onTour
  return thread.kind === 'crew' && !thread.gone ? words.leftCrew : words.closed
}

const emptyWords = ({ kind }: ChatThread, words: ChatTexts): string =>
  kind === 'person' ? words.emptyOfficeText : kind === 'crew' ? words.emptyCrewText : words.emptyEverybodyText

const OpenThread = ({
  crew,
  thread,
  threads,
  words,
  dock,
}: Omit<PickProps, 'currentId'> & { thread: ChatThread } & CrewScreenProps) => {
  const { params, change } = useParams()
  const [stop, setStop] = useState<CrewStop | null>(null)
  const onlyLooks = useOnlyLooks()
  const open = useThread(crew, thread)
  const chat = useChat(crew)
  const name = nameOf(thread, words)
  const stops = crew.bundle?.days.flatMap((day) => day.stops) ?? []
  const about = stops.find(({ id }) => id === params.get(recordParam.about)) ?? null
  const today = crew.plan?.stops.some(({ id }) => id === stop?.id) ?? false
  return (
    <FieldScreen
      header={
        <CrewHeader crew={crew} title={words.title}>
          {threads.length > 1 ? <Threads crew={crew} threads={threads} currentId={thread.id} words={words} /> : null}
        </CrewHeader>
      }
      dock={dock(
        thread.can.write ? (
          <ChatComposer
            key={thread.id}
            crew={crew}
            words={words}
            threadId={thread.id}
            to={name}
            about={about}
            onNotAbout={() => change({ [recordParam.about]: null }, { replace: true })}
            onSay={(text, files, visitId) => open.say(text, files, visitId, name)}
          />
        ) : (
          <p className="c-closed">{whyClosed(thread, onlyLooks, words)}</p>
        ),
      )}
    >
      {!open.isLoaded ? (
        <NotLoaded failed={chat.failed} title={words.failed} t={crew.t} onRetry={chat.retry} />
      ) : open.lines.length === 0 ? (
        <FieldCard>
          <FieldEmpty title={words.emptyOffice}>{emptyWords(thread, words)}</FieldEmpty>
        </FieldCard>
      ) : (
        <ChatLines key={thread.id} crew={crew} thread={open} words={words} label={name} onStop={setStop} />
      )}
      <StopSheet crew={crew} stop={stop} onClose={() => setStop(null)} isToday={today} inChat />
    </FieldScreen>
  )
}

/** What this person, their crew and the office write to each other. Works the same with and without a signal. */
export const CrewChatScreen = ({ dock }: CrewScreenProps) => {
  const crew = useCrew()
  const user = useUser()
  const { params } = useParams()
  const { state, error, retry } = useChat(crew)
  const words = chatTexts(crew.language)
  const header = <CrewHeader crew={crew} title={words.title} />
  if (user.role !== 'Employee')
    return (
      <FieldScreen header={header} dock={dock(null)}>
        <FieldCard>
          <FieldEmpty
            title={words.officeHere}
            action={
              <FieldButton kind="main" href="/employees?tab=communications">
                {words.toOffice}
              </FieldButton>
            }
          >
            {words.officeHereText}
          </FieldEmpty>
        </FieldCard>
      </FieldScreen>
    )
  const threads = shownThreads(state.threads)
  const thread = threads.find(({ id }) => id === params.get(recordParam.thread)) ?? threads[0]
  if (!thread)
    return (
      <FieldScreen header={header} dock={dock(null)}>
        <NotLoaded failed={state.ready && error !== null} title={words.failed} t={crew.t} onRetry={retry} />
      </FieldScreen>
    )
  return <OpenThread crew={crew} thread={thread} threads={threads} words={words} dock={dock} />
}
