import { useEffect, useReducer } from 'react'
import { call } from '../../../../shared/client.ts'
import type { CrewNotice } from '../../../../shared/crew-notice.ts'
import { formatMinute } from '../../../../shared/dates.ts'
import { isTourPath } from '../../../../shared/tour.ts'
import { Alert } from '../../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../../ui/field/FieldCard.tsx'
import { notificationsApi } from '../../../notifications/contract.ts'
import type { Crew } from '../data.ts'
import { shortDay } from '../labels.ts'
import type { Texts } from '../texts.ts'
import { type NoticeTexts, noticeTexts } from './noticeTexts.ts'
import { noteSeen, seenNotices } from './seen.ts'

/** What a notice says, in the words of the phone. */
export const noticeText = (about: CrewNotice, words: NoticeTexts, t: Texts): string => {
  const day = (one: string) => shortDay(one, t)
  switch (about.code) {
    case 'crew': {
      const { crew, from, to } = about
      const when =
        to === null ? words.from(day(from)) : to === from ? words.on(day(from)) : words.fromTo(day(from), day(to))
      return crew === null ? words.onNone(when) : words.onCrew(crew, when)
    }
    case 'crewBack':
      return words.back
    case 'moved':
      return about.day === null
        ? words.movedOff(about.street)
        : about.sameDay
          ? words.movedCrew(about.street)
          : words.movedDay(about.street, day(about.day))
    case 'route': {
      const first = about.firstMinute === null ? '' : formatMinute(about.firstMinute)
      return `${about.again ? `${words.again(day(about.day))} ` : ''}${words.route(day(about.day), about.stops, first)}`
    }
  }
}

type Notice = NonNullable<NonNullable<Crew['bundle']>['notices']>[number]

/** Of a day that was sent again only the last word holds: an older one tells a plan that is wrong by now. */
export const newestOfRoutes = (notices: readonly Notice[]): Notice[] =>
  notices.filter(
    ({ id, at, about }) =>
      about.code !== 'route' ||
      !notices.some(
        (one) =>
          one.about.code === 'route' && one.about.day === about.day && (one.at > at || (one.at === at && one.id > id)),
      ),
  )

const tell = (ids: readonly string[]): void => {
  if (ids.length === 0 || isTourPath(window.location.pathname)) return
  // Without a signal it is told with the next day that still has them.
  void call(notificationsApi.markRead, { body: { notificationIds: [...ids] } }, { retries: 0 }).catch(() => undefined)
}

/** What the office told this person since they last looked, on the screen that everybody looks at. */
export const NoticeCard = ({ crew }: { crew: Crew }) => {
  const { t, outbox, today } = crew
  const words = noticeTexts[crew.language]
  const [, look] = useReducer((looks: number) => looks + 1, 0)
  const notices = crew.bundle?.notices
  const seen = seenNotices(outbox.userId)
  useEffect(() => {
    tell((notices ?? []).filter(({ id }) => seenNotices(outbox.userId).includes(id)).map(({ id }) => id))
  }, [notices, outbox.userId])
  const unseen = (notices ?? []).filter(
    ({ id, about }) => !seen.includes(id) && (about.code !== 'route' || about.day >= today),
  )
  const news = newestOfRoutes(unseen)
  if (news.length === 0) return null
  // What a later one took the place of is seen with it.
  const ids = unseen.map(({ id }) => id)
  return (
    <FieldCard>
      <section className="c-stack" aria-label={words.title}>
        {news.map(({ id, about }) => (
          <Alert key={id} tone="wait">
            {noticeText(about, words, t)}
          </Alert>
        ))}
        <FieldButton
          onClick={() => {
            noteSeen(outbox.userId, ids)
            tell(ids)
            look()
          }}
        >
          {words.seen}
        </FieldButton>
      </section>
    </FieldCard>
  )
}
