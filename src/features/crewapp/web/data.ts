import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useState, useSyncExternalStore } from 'react'
import { call } from '../../../shared/client.ts'
import { dayOf, minuteOfDay } from '../../../shared/dates.ts'
import { rememberLanguage } from '../../../shared/phoneLanguage.ts'
import { isTourPath } from '../../../shared/tour.ts'
import type { SyncState } from '../../../ui/field/SyncChip.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { type Clock, timeclockApi } from '../../timeclock/contract.ts'
import { conflictsApi } from '../conflicts/contract.ts'
import { type CrewBundle, type CrewDayPlan, type CrewStop, crewappApi } from '../contract.ts'
import { planOn, projectBundle, projectClock } from '../projection/rules.ts'
import { type CommandPayload, type CommandType, onOurClock } from '../rules.ts'
import { chatOf } from './chat/kept.ts'
import { sendChatPhoto } from './chat/sendChatPhoto.ts'
import { useChatSync } from './chat/sync.ts'
import { clockLive, crewLive } from './concern.ts'
import { deviceClock } from './deviceClock.ts'
import { type ShownCode, showGateCode, whileHere } from './gate/shown.ts'
import { neverReached } from './lane.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { type OutboxState, unsentOf } from './outboxState.ts'
import { persistStorage, photosOf } from './photo.ts'
import { mayUsePhotoLine, onNetworkChange } from './photoLine.ts'
import { photoBody } from './photoPieces.ts'
import { playOfTour } from './playing.ts'
import type { PhonePlace } from './positions/whereNow.ts'
import { changeSettings, readSettings, useSettings } from './settings.ts'
import { browserStore, hereAhead } from './store.ts'
import { type Language, type Texts, textsOf } from './texts.ts'
import { waitingOf } from './waiting.ts'
import { onWoken } from './woken.ts'

const patienceMs = 15_000
const photoPatienceMs = 60_000
const sweepMs = 30_000

/** On the tour a day is played in the tab's own memory: nothing leaves it, and what this browser keeps for a real crew is not touched. */
const played = isTourPath(window.location.pathname)
const outboxes = new Map<string, Outbox>()
const channel = played || typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('swath-outbox')

const make = (userId: string): Outbox =>
  createOutbox(userId, {
    store: played ? playOfTour().store : browserStore(),
    begun: played ? null : hereAhead(userId),
    sendCommands: async (commands) => {
      if (played) return playOfTour().replies(outboxOf(userId).get().bundle, commands)
      const body = { commands, sentAt: new Date().toISOString() }
      const signal = AbortSignal.timeout(patienceMs)
      const learn = deviceClock.asking()
      const { results, serverTime } = await call(crewappApi.commands, { body }, { signal, retries: 0, squeeze: true })
      learn(serverTime)
      for (const { said } of results) if (said) await chatOf(userId).put(said)
      return results
    },
    answersTo: async (commandIds) => {
      if (played) return []
      const signal = AbortSignal.timeout(patienceMs)
      return (await call(conflictsApi.answers, { body: { commandIds } }, { signal, retries: 0 })).answers
    },
    sendPhoto: async (photo, blob, way) => {
      if (played) return
      const { id, kind, takenAt, item, place } = photo
      const body = await photoBody(id, blob, way)
      if (kind === 'check' || kind === 'defect')
        return (await import('./checkPhoto.ts')).sendCheckPhoto(photo, body, photoPatienceMs)
      if (kind === 'chat') return sendChatPhoto(photo, body, photoPatienceMs)
      if (kind === 'paid') return (await import('./paidPhoto.ts')).sendPaidPhoto(photo, body, photoPatienceMs)
      if (kind === 'quote')
        return (await import('./quotes/sendNotedPhoto.ts')).sendNotedPhoto(photo, body, photoPatienceMs)
      await call(
        crewappApi.addPhoto,
        { params: { visitId: photo.visitId }, query: { id, kind, takenAt, ...(item ? { item } : {}), ...place }, body },
        { signal: AbortSignal.timeout(photoPatienceMs), retries: 0, idempotencyKey: id },
      )
    },
    mayUsePhotoLine,
    exclusive: async (lane, work) => {
      const lock = lane === 'taps' ? 'swath-outbox' : 'swath-photos'
      if (navigator.locks && !played) await navigator.locks.request(lock, work)
      else await work()
    },
    now: () => Date.now(),
    clock: deviceClock.known,
    later: (work, ms) => {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
    newId: () => crypto.randomUUID(),
    announce: () => channel?.postMessage(userId),
  })

/** The one outbox of a person on this phone. */
export const outboxOf = (userId: string): Outbox => {
  const known = outboxes.get(userId)
  if (known) return known
  const made = make(userId)
  outboxes.set(userId, made)
  void (made.get().ready ? made.flush() : made.reload().then(made.flush))
  onNetworkChange(() => void made.flush())
  return made
}

const hasWork = (state: OutboxState): boolean => unsentOf(state) > 0

/** Sends when there may be a signal again: online, back on the screen, a push that came through, into the pocket, and every half minute while something waits. */
const keepSending = (outbox: Outbox): (() => void) => {
  const wake = () => void (document.visibilityState === 'visible' ? outbox.flush() : outbox.release())
  const heard = (event: MessageEvent) => {
    if (event.data === outbox.userId) void outbox.reload(true)
  }
  const offWoken = onWoken(() => void outbox.flush())
  outbox.arrive()
  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)
  channel?.addEventListener('message', heard)
  void outbox.flush()
  const sweep = setInterval(() => hasWork(outbox.get()) && outbox.nudge(), sweepMs)
  return () => {
    window.removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', wake)
    channel?.removeEventListener('message', heard)
    offWoken()
    clearInterval(sweep)
  }
}

const onLineChange = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

const isOnline = (): boolean => navigator.onLine

/** Milliseconds now by our clock, again every ten seconds and as soon as the phone learns how far its own is off. */
export const useNow = (): number => {
  const [now, setNow] = useState(deviceClock.shown)
  useEffect(() => {
    const look = () => setNow(deviceClock.shown())
    const timer = setInterval(look, 10_000)
    const offLearned = deviceClock.onLearned(look)
    return () => {
      clearInterval(timer)
      offLearned()
    }
  }, [])
  return now
}

/** How many things wait on this phone for longer than a moment. */
const useWaiting = (items: Parameters<typeof waitingOf>[0], canSend: boolean): number => {
  const [, look] = useReducer((looks: number) => looks + 1, 0)
  const { count, changesAt } = waitingOf(items, canSend, Date.now())
  useEffect(() => {
    if (changesAt === null) return
    const timer = setTimeout(look, Math.max(0, changesAt - Date.now()) + 20)
    return () => clearTimeout(timer)
  }, [changesAt])
  return count
}

export type Crew = {
  t: Texts
  language: Language
  outbox: Outbox
  state: OutboxState
  sync: SyncState
  now: number
  /** What the phone's own clock shows: for the age of what the phone itself has dated. */
  wallNow: number
  timeZone: string
  today: string
  nowMinute: number
  bundle: CrewBundle | null
  plan: CrewDayPlan | null
  clock: Clock | null
  /** Nothing of today is kept and nothing could be loaded. */
  error: unknown
  /** The same of the clock. */
  clockError: unknown
  retry: () => void
  act: (type: CommandType, stop?: CrewStop, payload?: CommandPayload, holdMs?: number, at?: string) => Promise<string>
  /** @param item the item of the checklist that it ticks */
  takePhoto: (
    stop: CrewStop,
    kind: 'before' | 'after' | 'other',
    files: File[],
    item?: string,
    caption?: string,
    /** Where it is taken, of who shares that. */
    place?: PhonePlace | null,
  ) => Promise<void>
}

const useLoaded = (outbox: Outbox) => {
  const ask =
    <T>(load: (signal: AbortSignal) => Promise<T>) =>
    async ({ signal }: { signal: AbortSignal }): Promise<string> => {
      try {
        await load(AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
        outbox.noteReached(true)
        return new Date().toISOString()
      } catch (error) {
        if (!signal.aborted && neverReached(error)) outbox.noteReached(false)
        throw error
      }
    }
  const day = useQuery({
    queryKey: ['visits', 'crew-day', outbox.userId],
    queryFn: ask(async (signal) => {
      const learn = deviceClock.asking()
      const fresh = await call(crewappApi.day, {}, { signal, retries: 0 })
      learn(fresh.serverTime)
      await outbox.saveBundle(fresh)
      void tellLanguage(outbox.userId).catch(() => undefined)
      if (!played) void keepBeside(outbox.userId, fresh).catch(() => undefined)
    }),
    refetchInterval: 120_000,
    meta: { live: crewLive(() => outbox.get().bundle) },
  })
  const clock = useQuery({
    queryKey: ['crew-clock', outbox.userId],
    queryFn: ask((signal) => outbox.loadClock(() => call(timeclockApi.clock, {}, { signal, retries: 0 }))),
    refetchInterval: 300_000,
    meta: { live: clockLive(outbox.userId) },
  })
  return { day, clock }
}

/** Everything a crew screen needs: the day and the clock as they are on this phone, and what one can do. */
export const useCrew = (): Crew => {
  const user = useUser()
  const outbox = outboxOf(user._id)
  const state = useSyncExternalStore(outbox.subscribe, outbox.get)
  const online = useSyncExternalStore(onLineChange, isOnline)
  const settings = useSettings()
  const now = useNow()
  const { day, clock: clockQuery } = useLoaded(outbox)
  useChatSync()
  useEffect(() => keepSending(outbox), [outbox])

  const language = settings.language ?? user.language
  const t = textsOf(language)
  useEffect(() => {
    document.documentElement.lang = language
    if (!played) rememberLanguage(language)
  }, [language])

  const waiting = useMemo(
    () => state.commands.filter((c) => c.state === 'waiting').map((c) => onOurClock(c.command)),
    [state.commands],
  )
  const bundle = useMemo(
    () => state.bundle && projectBundle(state.bundle, waiting, state.photos),
    [state.bundle, waiting, state.photos],
  )
  const timeZone = state.bundle?.timeZone ?? user.business.timeZone
  const today = dayOf(now, timeZone)
  const isAttention = (item: { state: string }) => item.state === 'attention'
  const attention = state.commands.filter(isAttention).length + state.photos.filter(isAttention).length
  const hasSignal = online && state.reached
  const sync: SyncState = {
    attention,
    unsent: unsentOf(state) - attention,
    answered: state.commands.filter((item) => item.state === 'answered').length,
    waiting: useWaiting([...state.commands, ...state.photos], hasSignal && !state.needsSignIn),
    online: hasSignal,
    sending: state.sending,
  }

  const plan = bundle && planOn(bundle, today)

  return {
    t,
    language,
    outbox,
    state,
    sync,
    now,
    wallNow: Date.now(),
    timeZone,
    today,
    nowMinute: minuteOfDay(now, timeZone),
    bundle,
    plan,
    clock: state.clock && projectClock(state.clock, waiting, now),
    error: state.ready && !plan ? day.error : null,
    clockError: state.ready && !state.clock ? clockQuery.error : null,
    retry: () => {
      void day.refetch()
      void clockQuery.refetch()
      void outbox.flush()
    },
    act: async (type, stop, payload = {}, holdMs = 0, at) => {
      persistStorage()
      const label = stop?.street ?? ''
      const command = await outbox.enqueue({
        type,
        visitId: stop?.id,
        payload,
        label,
        holdMs,
        at,
      })
      return command.id
    },
    takePhoto: async (stop, kind, files, item, caption, place) => {
      persistStorage()
      if (item) {
        // The photo is the tick: both are kept, or neither.
        const photos = (await photosOf(files)).map((photo) => ({ ...photo, visitId: stop.id, kind, item }))
        const payload = { item, done: true }
        await outbox.enqueue({ type: 'check', visitId: stop.id, payload, label: stop.street }, photos)
        return
      }
      for (const file of files)
        for (const { blob, ...photo } of await photosOf([file]))
          await outbox.addPhoto(
            { ...photo, visitId: stop.id, kind, item: caption, label: stop.street, ...(place ? { place } : {}) },
            blob,
          )
    },
  }
}

/** Tells the server a language that it has not heard of; without a signal it is told with the next day that comes. */
export const tellLanguage = async (userId: string): Promise<void> => {
  const { language, untold } = readSettings()
  if (played || !language || untold !== userId) return
  await call(crewappApi.setLanguage, { body: { language } }, { retries: 0 })
  if (readSettings().language === language) changeSettings({ untold: null })
}

/** Sets the language on this phone at once and tells the server when it can. */
export const chooseLanguage = (userId: string, language: Language): void => {
  changeSettings({ language, untold: userId })
  void tellLanguage(userId).catch(() => undefined)
}

/** Asks for a gate code; every look is written down on the server. On the tour it is a made-up one. @throws ApiError */
export const revealGateCode = async (
  { outbox, timeZone, today }: Pick<Crew, 'outbox' | 'timeZone' | 'today'>,
  { id, street }: Pick<CrewStop, 'id' | 'street'>,
): Promise<ShownCode> => {
  const { userId } = outbox
  const isHere = whileHere()
  const note = () => outbox.enqueue({ type: 'gate_seen', visitId: id, payload: {}, label: street })
  const shown = played
    ? { code: playOfTour().gateCode }
    : await (await import('./gate/reveal.ts')).lookUpGateCode({ userId, visitId: id, timeZone, isHere, note })
  if (isHere()) showGateCode(userId, id, today, shown)
  return shown
}

/** What is kept beside a day that came from the server. */
const keepBeside = async (userId: string, { today, days }: CrewBundle): Promise<void> => {
  const stops = days.find(({ day }) => day === today)?.stops ?? []
  const withCode = stops.filter(({ hasGateCode }) => hasGateCode).map(({ id }) => id)
  await Promise.allSettled([
    import('./gate/reveal.ts').then((gate) => gate.tidyCodes(userId, withCode)),
    import('./ownProfile.ts').then((own) => own.keepOwnProfile(userId, today)),
    import('./quotes/keptQuotes.ts').then((quotes) => quotes.keepCrewQuotes(userId, today)),
  ])
}
