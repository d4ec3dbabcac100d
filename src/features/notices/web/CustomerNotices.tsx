import { useQuery } from '@tanstack/react-query'
import { formatDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { copyLink } from '../../../ui/copy.ts'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type NoticeKind, noticeKinds } from '../../businesses/notices/rules.ts'
import { noticesApi } from '../contract.ts'
import { customerNoticesQuery, useVisitLink, useWantNotice } from './data.ts'

const labels: Readonly<Record<NoticeKind, string>> = {
  reminder: 'Reminder the day before',
  moved: 'A visit that moves',
  on_way: 'Crew on the way',
}

const ways = { sms: 'By text.', email: 'By e-mail.' } as const

/** What one customer hears by itself, and the page of the next visit as they see it. */
export const CustomerNotices = ({ customerId, name }: { customerId: string; name: string }) => {
  const found = useQuery(customerNoticesQuery(customerId))
  const may = useMay()
  const want = useWantNotice(customerId)
  const link = useVisitLink()
  const notices = found.data
  if (!notices) return null
  const { muted, channel, why, nextVisit } = notices
  const put = (kind: NoticeKind, on: boolean) =>
    want.mutate({ kind, wanted: on }, { onError: (error) => toast.error(error) })
  const copy = async (visitId: string) => {
    const { url } = await link.mutateAsync(visitId)
    await copyLink(url)
  }
  return (
    <section className="panel-section" aria-label={`What ${name} hears`}>
      <header>
        <h3>Told of visits</h3>
        {nextVisit && may(noticesApi.link) ? (
          <Button
            size="s"
            kind="quiet"
            loading={link.isPending}
            onClick={() => void copy(nextVisit.id).catch(toast.error)}
          >
            Copy link for {formatDay(nextVisit.day)}
          </Button>
        ) : null}
      </header>
      <p className="muted">
        {channel === null
          ? `Nothing reaches them: ${why}.`
          : [ways[channel], why && channel === 'email' ? `${why}.` : ''].filter(Boolean).join(' ')}
      </p>
      {noticeKinds.map((kind) => (
        <SwitchField
          key={kind}
          name={`notice-${kind}`}
          label={labels[kind]}
          value={!muted.includes(kind)}
          disabled={!may(noticesApi.update) || want.isPending}
          onChange={(on) => put(kind, on)}
        />
      ))}
    </section>
  )
}
