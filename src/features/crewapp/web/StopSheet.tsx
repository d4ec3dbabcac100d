import { linkTo } from '../../../shared/links.ts'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { IconNavigation } from '../../../ui/icons.ts'
import type { CrewStop } from '../contract.ts'
import { doorOf } from '../projection/rules.ts'
import { canDo } from '../rules.ts'
import type { Crew } from './data.ts'
import { ExtraPart, PhotoPart } from './extraParts.ts'
import { servicesOf } from './labels.ts'
import { navigateLink } from './NextStop.tsx'
import { StopDangers, StopFacts, ThisTime } from './StopFacts.tsx'
import { outcomeLabel } from './StopList.tsx'
import { LastTime } from './stopParts.ts'
import { TreatPart } from './treatParts.ts'

type Props = {
  crew: Crew
  stop: CrewStop | null
  onClose: () => void
  onChoose?: (stop: CrewStop) => void
  onUnskip?: (stop: CrewStop) => void
  onNote?: (stop: CrewStop) => void
  onCollect?: (stop: CrewStop) => void
  onTreat?: (stop: CrewStop) => void
  isToday?: boolean
  /** Stands where one writes already. */
  inChat?: boolean
}

/** A stop of the list, looked at before or after its turn. */
export const StopSheet = ({
  crew,
  stop,
  onClose,
  onChoose,
  onUnskip,
  onNote,
  onCollect,
  onTreat,
  isToday = true,
  inChat,
}: Props) => {
  const { t } = crew
  const open = stop && canDo('finish', stop)
  return (
    <Sheet open={stop !== null} onClose={onClose} title={stop?.street ?? ''} closeLabel={t.close}>
      {stop ? (
        <>
          <p className="c-who">{[stop.customer, servicesOf(crew, stop)].filter(Boolean).join(' · ')}</p>
          {open ? null : <p>{outcomeLabel(crew, stop)}</p>}
          <StopDangers crew={crew} stop={stop} today={isToday} />
          <ThisTime crew={crew} stop={stop} />
          <StopFacts crew={crew} stop={stop} />
          <LastTime crew={crew} stop={stop} />
          {stop.treatment ? <TreatPart crew={crew} stop={stop} onTreat={onTreat} /> : null}
          {stop.photos.before + stop.photos.after + stop.photos.other > 0 ? (
            <PhotoPart crew={crew} stop={stop} />
          ) : null}
          {crew.bundle?.extras || crew.bundle?.sales || stop.extras?.length ? (
            <ExtraPart crew={crew} stop={stop} />
          ) : null}
          {open && onChoose ? (
            <FieldButton kind="main" onClick={() => onChoose(stop)}>
              {t.workHereNow}
            </FieldButton>
          ) : null}
          {onUnskip && canDo('undo_skip', stop) ? (
            <FieldButton kind="main" onClick={() => onUnskip(stop)}>
              {t.unskip}
            </FieldButton>
          ) : null}
          <FieldButton icon={<IconNavigation aria-hidden="true" />} href={navigateLink(stop)} newTab>
            {t.navigate}
          </FieldButton>
          {onCollect && doorOf(crew.bundle, stop.id) ? (
            <FieldButton onClick={() => onCollect(stop)}>{t.collect}</FieldButton>
          ) : null}
          {inChat ? null : <FieldButton href={linkTo.crewChat({ about: stop.id })}>{t.writeAbout}</FieldButton>}
          {onNote ? <FieldButton onClick={() => onNote(stop)}>{t.note}</FieldButton> : null}
        </>
      ) : null}
    </Sheet>
  )
}
