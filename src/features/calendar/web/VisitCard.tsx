import { memo } from 'react'
import { formatMinute } from '../../../shared/dates.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconCalendar, IconPin } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { onSiteMinutes, statusLabel } from '../../visits/rules.ts'
import { useVisitLink } from '../../visits/web/data.ts'
import { windowLabel } from '../rules.ts'
import type { Card } from './view.ts'

type Props = { visit: Card; people?: number | undefined; small?: boolean; onMove: (visit: Card) => void }

/** A visit as it stands on a day: what it is, when, and the way to move it without dragging. Drawn anew only when it changes: a board has hundreds. */
export const VisitCard = memo(({ visit, people = 1, small, onMove }: Props) => {
  const linkOf = useVisitLink()
  const window = windowLabel(visit)
  const drive = Math.round((visit.driveSeconds ?? 0) / 60)
  const begun = visit.status !== 'scheduled' && visit.status !== 'unscheduled'
  const facts = [
    begun ? statusLabel(visit.status) : `${onSiteMinutes(visit.budgetMinutes, people)} min`,
    !small && !begun && drive > 0 ? `${drive} min drive` : null,
    window,
  ].filter(Boolean)
  const words = (
    <>
      <b className="cal-card__street">
        {visit.startMinute !== null && !small ? (
          <span className="cal-card__time num">{formatMinute(visit.startMinute).replace(/ [AP]M$/, '')} </span>
        ) : null}
        {visit.street}
      </b>
      <span className="hint cal-card__facts">
        {`${visit.customer} · `}
        {facts.join(' · ')}
        {visit.pinned ? <IconPin size={13} role="img" aria-label="pinned" /> : null}
      </span>
    </>
  )
  const href = linkOf?.(visit.id)
  return (
    <div className={`cal-card is-${begun ? visit.status : 'todo'}${small ? ' cal-card--small' : ''}`}>
      {href ? (
        <LinkTo href={href} className="cal-card__main">
          {words}
        </LinkTo>
      ) : (
        <span className="cal-card__main">{words}</span>
      )}
      {visit.can.move ? (
        <IconButton
          size="s"
          tooltip={false}
          className="cal-card__move"
          label={`Move ${visit.street} to…`}
          icon={<IconCalendar size={small ? 15 : 17} />}
          onClick={() => onMove(visit)}
        />
      ) : null}
    </div>
  )
})
