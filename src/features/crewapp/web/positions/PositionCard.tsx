import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call } from '../../../../shared/client.ts'
import { shellHas } from '../../../../shared/shell.ts'
import { Alert } from '../../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../../ui/field/FieldCard.tsx'
import { positionsApi } from '../../../positions/contract.ts'
import type { Language } from '../texts.ts'
import { positionTexts } from './positionTexts.ts'
import { noteSharing, onSharing, trackingNow } from './sharing.ts'

const locales = { en: 'en-US', es: 'es-US' }

/** A person's own yes to being seen on the clock, what it means, and the way out of it. Needs a signal. */
export const PositionCard = ({
  userId,
  language,
  timeZone,
}: {
  userId: string
  language: Language
  timeZone: string
}) => {
  const w = positionTexts[language]
  const client = useQueryClient()
  const key = ['positions', 'own', userId]
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const own = await call(positionsApi.own, {}, { signal, retries: 0 })
      noteSharing(userId, own.since !== null)
      return own
    },
    // what the office saw a moment ago is what one comes here for
    refetchOnMount: 'always',
    refetchInterval: 60_000,
  })
  const tracking = useSyncExternalStore(onSharing, trackingNow)
  const share = useMutation({
    mutationFn: (on: boolean) => call(positionsApi.share, { body: { on } }),
    onSuccess: (own) => {
      client.setQueryData(key, own)
      noteSharing(userId, own.since !== null)
    },
  })
  if (!data) return null
  const day = (at: string) =>
    new Intl.DateTimeFormat(locales[language], { timeZone, weekday: 'short', month: 'short', day: 'numeric' }).format(
      new Date(at),
    )
  const time = (at: string) =>
    new Intl.DateTimeFormat(locales[language], { timeZone, hour: 'numeric', minute: '2-digit' }).format(new Date(at))
  const since = data.since
  return (
    <FieldCard>
      <div className="c-stack">
        <h2>{w.title}</h2>
        <p>
          {w.what} {shellHas('BackgroundGeolocation') ? w.inShell : w.inBrowser}
        </p>
        <p>
          <b>{since ? w.since(day(since)) : w.off}</b>{' '}
          {since ? (data.lastAt ? w.last(`${time(data.lastAt)}, ${day(data.lastAt)}`) : w.none) : ''}{' '}
          {since && tracking === 'off' ? w.waiting : ''}
        </p>
        {since && (tracking === 'denied' || tracking === 'silent') ? <Alert tone="wait">{w[tracking]}</Alert> : null}
        {share.isError ? <Alert tone="wait">{w.failed}</Alert> : null}
        <FieldButton busy={share.isPending} onClick={() => share.mutate(since === null)}>
          {since ? w.stop : w.share}
        </FieldButton>
      </div>
    </FieldCard>
  )
}
