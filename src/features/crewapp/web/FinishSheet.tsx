import { CheckItem } from '../../../ui/field/CheckItem.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { PhotoButton } from '../../../ui/field/PhotoButton.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import type { CrewStop } from '../contract.ts'
import { missingBeforeFinish } from '../projection/rules.ts'
import type { Crew } from './data.ts'

type Props = {
  crew: Crew
  stop: CrewStop | null
  onClose: () => void
  onFinish: (stop: CrewStop) => void
  onPhotos: (stop: CrewStop, files: File[]) => void
}

/** What is still to do before the crew leaves: required ticks, and the photo that the service asks for. */
export const FinishSheet = ({ crew, stop, onClose, onFinish, onPhotos }: Props) => {
  const { t } = crew
  const missing = stop ? missingBeforeFinish(stop) : null
  return (
    <Sheet open={stop !== null} onClose={onClose} title={t.beforeFinish} closeLabel={t.close}>
      {stop && missing ? (
        <>
          {stop.checklist
            .filter((item) => item.required)
            .map((item) => (
              <CheckItem
                key={item.text}
                label={item.text}
                checked={stop.checked.includes(item.text)}
                onChange={(done) => void crew.act('check', stop, { item: item.text, done })}
              />
            ))}
          {missing.photo ? (
            <>
              <p>{t.photoWanted}</p>
              <PhotoButton onPhotos={(files) => onPhotos(stop, files)}>{t.photoAfter}</PhotoButton>
            </>
          ) : null}
          <FieldButton
            kind={missing.photo ? 'plain' : 'main'}
            disabled={missing.ticks.length > 0}
            onClick={() => onFinish(stop)}
          >
            {missing.photo ? t.finishWithout : t.finish}
          </FieldButton>
        </>
      ) : null}
    </Sheet>
  )
}
