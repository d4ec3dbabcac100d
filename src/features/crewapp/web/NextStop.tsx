import { linkTo } from '../../../shared/links.ts'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { PhotoButton } from '../../../ui/field/PhotoButton.tsx'
import { dropSecondTap } from '../../../ui/field/secondTap.ts'
import { IconNavigation } from '../../../ui/icons.ts'
import type { CrewStop } from '../contract.ts'
import { doorOf } from '../projection/rules.ts'
import { canDo } from '../rules.ts'
import { CheckLines } from './CheckLines.tsx'
import type { Crew } from './data.ts'
import { ExtraPart, PhotoPart } from './extraParts.ts'
import { addressOf, locationLabel, plannedMinutes, servicesOf, timeOf, workedMinutes } from './labels.ts'
import { mapLink } from './navigate.ts'
import { StopDangers, StopFacts, ThisTime } from './StopFacts.tsx'
import { LastTime } from './stopParts.ts'
import { TreatPart } from './treatParts.ts'
import './crewapp.css'

type Props = {
  crew: Crew
  stop: CrewStop
  onSkip: () => void
  onNote: () => void
  onWay: () => void
  onPhotos: (kind: 'before' | 'after', files: File[]) => void
  onCheck: (item: string, done: boolean) => void
  onItemPhoto: (item: string, files: File[]) => void
  onCollect: () => void
  onTreat: () => void
}

const Status = ({ crew, stop }: { crew: Crew; stop: CrewStop }) => {
  const { t, now, timeZone } = crew
  const worked = workedMinutes(stop, now)
  if (stop.status === 'in_progress') return <div className="c-way is-now">{t.onSite(worked, plannedMinutes(stop))}</div>
  if (stop.status === 'paused') return <div className="c-way is-now">{t.pausedAt(worked)}</div>
  if (stop.status === 'en_route' && stop.enRouteAt)
    return <div className="c-way is-now">{t.onTheWay(timeOf(stop.enRouteAt, timeZone))}</div>
  const location = locationLabel(stop)
  // There is always a line here, so that nothing below it moves when the work begins.
  return <div className="c-way">{location ? t.away(location) : t.planned(plannedMinutes(stop))}</div>
}

export const navigateLink = (stop: CrewStop): string =>
  mapLink({ latitude: stop.latitude, longitude: stop.longitude, address: addressOf(stop) }, navigator.userAgent)

/** The stop at hand: where, for whom, what can bite, what to know, what to do. The main action stands in the dock. */
export const NextStop = ({
  crew,
  stop,
  onSkip,
  onNote,
  onWay,
  onPhotos,
  onCheck,
  onItemPhoto,
  onCollect,
  onTreat,
}: Props) => {
  const { t } = crew
  const begun = stop.status === 'in_progress' || stop.status === 'paused'
  return (
    <FieldCard>
      <Status crew={crew} stop={stop} />
      {stop.begunOn ? <div className="c-way">{t.begunBefore}</div> : null}
      <h2 className="c-stop">{[stop.street, stop.unit].filter(Boolean).join(' ')}</h2>
      <div className="c-who">{[stop.customer, servicesOf(crew, stop)].filter(Boolean).join(' · ')}</div>
      <StopDangers crew={crew} stop={stop} />
      <ThisTime crew={crew} stop={stop} />
      <StopFacts crew={crew} stop={stop} />
      <LastTime crew={crew} stop={stop} />
      {/* Each has one place from first to last: what a thumb has learned does not turn into something else after Start. */}
      <div className="f-actions">
        <FieldButton icon={<IconNavigation aria-hidden="true" />} href={navigateLink(stop)} newTab>
          {t.navigate}
        </FieldButton>
        <FieldButton disabled={!canDo('en_route', stop)} onClickCapture={dropSecondTap} onClick={onWay}>
          {stop.enRouteAt ? t.onMyWayDone : t.onMyWay}
        </FieldButton>
        <PhotoButton onPhotos={(files) => onPhotos('before', files)}>{t.photoBefore}</PhotoButton>
        <PhotoButton disabled={!begun} onPhotos={(files) => onPhotos('after', files)}>
          {t.photoAfter}
        </PhotoButton>
        <FieldButton onClick={onNote}>{t.note}</FieldButton>
        <FieldButton disabled={!canDo('skip', stop)} onClick={onSkip}>
          {t.skip}
        </FieldButton>
        {doorOf(crew.bundle, stop.id) ? <FieldButton onClick={onCollect}>{t.collect}</FieldButton> : null}
        <FieldButton href={linkTo.crewChat({ about: stop.id })}>{t.writeAbout}</FieldButton>
      </div>
      {stop.checklist.length > 0 && begun ? (
        <div className="c-checks">
          <CheckLines
            t={t}
            language={crew.language}
            stop={stop}
            items={stop.checklist}
            onCheck={onCheck}
            onPhoto={onItemPhoto}
          />
        </div>
      ) : null}
      {stop.treatment ? <TreatPart crew={crew} stop={stop} onTreat={onTreat} /> : null}
      {stop.photos.before + stop.photos.after + stop.photos.other > 0 ? <PhotoPart crew={crew} stop={stop} /> : null}
      {crew.bundle?.extras || crew.bundle?.sales || stop.extras?.length ? <ExtraPart crew={crew} stop={stop} /> : null}
    </FieldCard>
  )
}
