import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { PhotoButton } from '../../../ui/field/PhotoButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import type { CrewStop } from '../contract.ts'
import { missingBeforeFinish } from '../projection/rules.ts'
import { CheckLines } from './CheckLines.tsx'
import type { Crew } from './data.ts'
import { FinishWithout } from './FinishWithout.tsx'
import { NoRecordPart, TreatPart } from './treatParts.ts'

type Props = {
  crew: Crew
  stop: CrewStop | null
  onClose: () => void
  onFinish: (stop: CrewStop, without?: string, noRecord?: string) => void
  onPhotos: (stop: CrewStop, files: File[], item?: string) => void
  onTreat: (stop: CrewStop) => void
}

/** What is still to do before the crew leaves: required ticks, and the photo that the service asks for. */
export const FinishSheet = ({ crew, stop, onClose, onFinish, onPhotos, onTreat }: Props) => {
  const { t } = crew
  const missing = stop ? missingBeforeFinish(stop) : null
  const leads = crew.plan?.crew?.leads !== false
  return (
    <Sheet open={stop !== null} onClose={onClose} title={t.beforeFinish} closeLabel={t.close}>
      {stop && missing ? (
        <>
          <CheckLines
            t={t}
            language={crew.language}
            stop={stop}
            items={stop.checklist.filter((item) => item.required)}
            onCheck={(item, done) => void crew.act('check', stop, { item, done })}
            onPhoto={(item, files) => onPhotos(stop, files, item)}
          />
          {missing.photo ? (
            <>
              <p>{t.photoWanted}</p>
              <PhotoButton onPhotos={(files) => onPhotos(stop, files)}>{t.photoAfter}</PhotoButton>
            </>
          ) : null}
          {missing.record ? (
            <>
              <TreatPart crew={crew} stop={stop} onTreat={onTreat} first />
              {missing.ticks.length === 0 ? (
                <NoRecordPart key={stop.id} crew={crew} onFinish={(why) => onFinish(stop, undefined, why)} />
              ) : null}
            </>
          ) : null}
          {missing.ticks.length > 0 ? <p>{leads ? t.tickFirst : t.tickFirstOrLeader}</p> : null}
          <FieldButton
            kind={missing.photo || missing.record ? 'plain' : 'main'}
            disabled={missing.ticks.length > 0 || missing.record}
            onClick={() => onFinish(stop)}
          >
            {missing.photo ? t.finishWithout : t.finish}
          </FieldButton>
          {missing.ticks.length > 0 && leads ? (
            <FinishWithout
              key={stop.id}
              words={{
                open: t.finishAnyway,
                why: t.whyWithout,
                hint: t.skipNoteHint,
                needed: t.whyWithoutNeeded,
                finish: t.finishAnyway,
              }}
              // Where the record is missing too, the same words say why.
              onFinish={(why) => onFinish(stop, why, missing.record ? why : undefined)}
            />
          ) : null}
        </>
      ) : null}
    </Sheet>
  )
}
