import { IconButton } from '../../../ui/IconButton.tsx'
import { IconArrowDown, IconArrowUp, IconTrash } from '../../../ui/icons.ts'
import { SelectField } from '../../../ui/SelectField.tsx'
import { type Block, type BlockKind, mostBlocks, noPicture } from '../content/rules.ts'
import { BlockFields } from './BlockFields.tsx'

const kindLabels: Record<BlockKind, string> = {
  heading: 'Heading',
  text: 'Text',
  button: 'Button',
  offer: 'Offer or coupon',
  picture: 'Picture',
  divider: 'Line',
}

const newBlock = (kind: BlockKind): Block => {
  switch (kind) {
    case 'heading':
    case 'text':
      return { kind, text: '' }
    case 'button':
      return { kind, label: '', to: 'page', url: '' }
    case 'offer':
      return { kind, title: '', note: '' }
    case 'picture':
      return { kind, fileId: noPicture, alt: '' }
    default:
      return { kind }
  }
}

type Props = {
  blocks: readonly Block[]
  /** What is wrong with a field of a part, by its place, once it is to be said. */
  errorOf: (at: number, field: string) => string | undefined
  onLeave: (at: number, field: string) => void
  pictures: Readonly<Record<string, string>>
  onPicture: (fileId: string, url: string) => void
  onChange: (blocks: Block[]) => void
}

/** The parts of a mail in their order. */
export const BlockEditor = ({ blocks, errorOf, onLeave, pictures, onPicture, onChange }: Props) => {
  const swap = (at: number, by: number) => {
    const next = [...blocks]
    const [one, other] = [next[at], next[at + by]]
    if (!one || !other) return
    next[at] = other
    next[at + by] = one
    onChange(next)
  }
  return (
    <div className="cp-blocks">
      <ol className="cp-blocks__list" aria-label="Parts of the e-mail">
        {blocks.map((block, at) => {
          const name = `Part ${at + 1}`
          const label = kindLabels[block.kind]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name of their own
            <li key={`${block.kind} ${at}`} className="cp-block">
              <div className="cp-block__head">
                <b>{label}</b>
                <IconButton
                  label={`Move ${name} (${label}) up`}
                  icon={<IconArrowUp />}
                  size="s"
                  tooltip={false}
                  disabled={at === 0}
                  onClick={() => swap(at, -1)}
                />
                <IconButton
                  label={`Move ${name} (${label}) down`}
                  icon={<IconArrowDown />}
                  size="s"
                  tooltip={false}
                  disabled={at === blocks.length - 1}
                  onClick={() => swap(at, 1)}
                />
                <IconButton
                  label={`Take out ${name} (${label})`}
                  icon={<IconTrash />}
                  size="s"
                  tooltip={false}
                  onClick={() => onChange(blocks.filter((_, index) => index !== at))}
                />
              </div>
              <BlockFields
                block={block}
                name={name}
                errorOf={(field) => errorOf(at, field)}
                onLeave={(field) => onLeave(at, field)}
                pictures={pictures}
                onPicture={onPicture}
                onChange={(next) => onChange(blocks.map((old, index) => (index === at ? next : old)))}
              />
            </li>
          )
        })}
      </ol>
      {blocks.length < mostBlocks ? (
        <SelectField
          label="Add a part"
          value=""
          placeholder="Choose one"
          options={(Object.keys(kindLabels) as BlockKind[]).map((kind) => ({ value: kind, label: kindLabels[kind] }))}
          onChange={(kind) => {
            if (kind) onChange([...blocks, newBlock(kind)])
          }}
        />
      ) : null}
    </div>
  )
}
