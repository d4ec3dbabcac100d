import { CheckItem } from '../../../ui/field/CheckItem.tsx'
import { PhotoButton } from '../../../ui/field/PhotoButton.tsx'
import type { CrewStop } from '../contract.ts'
import type { Texts } from './texts.ts'

type Props = {
  t: Texts
  stop: CrewStop
  items: CrewStop['checklist']
  onCheck: (item: string, done: boolean) => void
  onPhoto: (item: string, files: File[]) => void
}

/** What is to be ticked; an item that asks for a photo is ticked by taking it. */
export const CheckLines = ({ t, stop, items, onCheck, onPhoto }: Props) =>
  items.map(({ text, required, photo }) =>
    photo && !stop.photoItems?.includes(text) && !stop.checked.includes(text) ? (
      <PhotoButton key={text} onPhotos={(files) => onPhoto(text, files)}>
        {t.photoForItem(text)}
      </PhotoButton>
    ) : (
      <CheckItem
        key={text}
        label={text}
        hint={required ? t.mustTick : undefined}
        checked={stop.checked.includes(text)}
        onChange={(done) => onCheck(text, done)}
      />
    ),
  )
