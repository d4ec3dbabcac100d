import { CheckItem } from '../../../ui/field/CheckItem.tsx'
import { PhotoButton } from '../../../ui/field/PhotoButton.tsx'
import type { CrewStop } from '../contract.ts'
import type { Language, Texts } from './texts.ts'

type Props = {
  t: Texts
  language: Language
  stop: CrewStop
  items: CrewStop['checklist']
  onCheck: (item: string, done: boolean) => void
  onPhoto: (item: string, files: File[]) => void
}

/** What is to be ticked; an item that asks for a photo is ticked by taking it. */
export const CheckLines = ({ t, language, stop, items, onCheck, onPhoto }: Props) =>
  items.map(({ text, es, required, photo }) => {
    // ticks are kept by the text as the office wrote it, whoever reads which language
    const words = language === 'es' && es ? es : text
    return photo && !stop.photoItems?.includes(text) && !stop.checked.includes(text) ? (
      <PhotoButton key={text} onPhotos={(files) => onPhoto(text, files)}>
        {t.photoForItem(words)}
      </PhotoButton>
    ) : (
      <CheckItem
        key={text}
        label={words}
        hint={required ? t.mustTick : undefined}
        checked={stop.checked.includes(text)}
        onChange={(done) => onCheck(text, done)}
      />
    )
  })
