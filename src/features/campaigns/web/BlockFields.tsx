import { useState } from 'react'
import { call } from '../../../shared/client.ts'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { largestUpload } from '../../files/rules.ts'
import { type Block, withScheme, wordsProblem } from '../content/rules.ts'
import { campaignsApi } from '../contract.ts'

type Props<B extends Block = Block> = {
  block: B
  /** What it is called for who hears the screen: "Part 2". */
  name: string
  /** What is wrong with one of its fields, once it is to be said. */
  errorOf: (field: string) => string | undefined
  /** A field was left: from then on what is wrong with it is said. */
  onLeave: (field: string) => void
  /** Where pictures of this campaign are shown from. */
  pictures: Readonly<Record<string, string>>
  onPicture: (fileId: string, url: string) => void
  onChange: (block: Block) => void
}

type Words = { label: string; value: string; onChange: (text: string) => void }

/** One of the fields with words: a variable that is not known is said while it is typed, the rest once the field was left. */
const wordsOf = (
  { errorOf, onLeave }: Pick<Props, 'errorOf' | 'onLeave'>,
  field: string,
  { value, ...rest }: Words,
) => ({
  ...rest,
  value,
  error: wordsProblem(value) ?? errorOf(field),
  onBlur: () => onLeave(field),
})

const Picture = (props: Props<Extract<Block, { kind: 'picture' }>>) => {
  const { block, errorOf, pictures, onPicture, onChange } = props
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const url = pictures[block.fileId]
  const send = async (file: File) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const made = await call(campaignsApi.addPicture, { body: file })
      onPicture(made.fileId, made.url)
      onChange({ ...block, fileId: made.fileId })
    } catch (caught) {
      setProblem(caught instanceof Error ? caught.message : 'The picture could not be saved.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {url ? <img className="cp-picture" src={url} alt={block.alt} /> : null}
      <FileDrop
        label={url ? 'Drop another picture here, or choose one' : 'Drop a picture here, or choose one'}
        hint={busy ? 'On its way …' : 'JPEG, PNG or WebP'}
        accept="image/*"
        maxBytes={largestUpload}
        error={problem ?? errorOf('fileId')}
        disabled={busy}
        onFiles={([file]) => {
          if (file) void send(file)
        }}
      />
      <TextField
        hint="For who cannot see it, or whose mail program shows none."
        maxLength={150}
        {...wordsOf(props, 'alt', {
          label: 'What the picture shows',
          value: block.alt,
          onChange: (alt) => onChange({ ...block, alt }),
        })}
      />
    </>
  )
}

const goals = [
  { value: 'page', label: 'Your public page' },
  { value: 'portal', label: 'Your customer portal' },
  { value: 'url', label: 'An address' },
] as const

/** The fields of one part of a mail. */
export const BlockFields = (props: Props) => {
  const { block, name, errorOf, onLeave, onChange } = props
  switch (block.kind) {
    case 'heading':
      return (
        <TextField
          hideLabel
          maxLength={120}
          {...wordsOf(props, 'text', {
            label: `${name}: heading`,
            value: block.text,
            onChange: (text) => onChange({ ...block, text }),
          })}
        />
      )
    case 'text':
      return (
        <TextAreaField
          hideLabel
          rows={4}
          maxLength={2000}
          {...wordsOf(props, 'text', {
            label: `${name}: text`,
            value: block.text,
            onChange: (text) => onChange({ ...block, text }),
          })}
        />
      )
    case 'button':
      return (
        <FieldGrid min={170}>
          <TextField
            maxLength={40}
            {...wordsOf(props, 'label', {
              label: 'Words on it',
              value: block.label,
              onChange: (label) => onChange({ ...block, label }),
            })}
          />
          <SelectField
            label="Leads to"
            value={block.to}
            options={goals}
            error={errorOf('to')}
            onBlur={() => onLeave('to')}
            onChange={(to) => {
              if (to) onChange({ ...block, to })
            }}
          />
          {block.to === 'url' ? (
            <TextField
              label="Address"
              placeholder="https://"
              maxLength={500}
              inputMode="url"
              value={block.url}
              error={errorOf('url')}
              onBlur={() => {
                const url = withScheme(block.url.trim())
                if (url !== block.url) onChange({ ...block, url })
                onLeave('url')
              }}
              onChange={(url) => onChange({ ...block, url })}
            />
          ) : null}
        </FieldGrid>
      )
    case 'offer':
      return (
        <>
          <TextField
            placeholder="10% off with code FALL"
            maxLength={80}
            {...wordsOf(props, 'title', {
              label: 'The offer',
              value: block.title,
              onChange: (title) => onChange({ ...block, title }),
            })}
          />
          <TextField
            optional
            placeholder="Until October 15"
            maxLength={200}
            {...wordsOf(props, 'note', {
              label: 'Small words below it',
              value: block.note,
              onChange: (note) => onChange({ ...block, note }),
            })}
          />
        </>
      )
    case 'picture':
      return <Picture {...props} block={block} />
    default:
      return null
  }
}
