import { useState } from 'react'
import { call } from '../../../shared/client.ts'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { largestUpload } from '../../files/rules.ts'
import { type Block, wordsProblem } from '../content/rules.ts'
import { campaignsApi } from '../contract.ts'

type Props<B extends Block = Block> = {
  block: B
  /** What it is called for who hears the screen: "Part 2". */
  name: string
  error: string | undefined
  /** Where pictures of this campaign are shown from. */
  pictures: Readonly<Record<string, string>>
  onPicture: (fileId: string, url: string) => void
  onChange: (block: Block) => void
}

/** Said while it is typed. */
const said = (text: string, error: string | undefined): string | undefined =>
  wordsProblem(text)?.replace(' Nothing was saved.', '') ?? error

const Picture = ({ block, error, pictures, onPicture, onChange }: Props<Extract<Block, { kind: 'picture' }>>) => {
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
        error={problem}
        disabled={busy}
        onFiles={([file]) => {
          if (file) void send(file)
        }}
      />
      <TextField
        label="What the picture shows"
        hint="For who cannot see it, or whose mail program shows none."
        maxLength={150}
        value={block.alt}
        error={said(block.alt, error)}
        onChange={(alt) => onChange({ ...block, alt })}
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
  const { block, name, error, onChange } = props
  switch (block.kind) {
    case 'heading':
      return (
        <TextField
          label={`${name}: heading`}
          hideLabel
          maxLength={120}
          value={block.text}
          error={said(block.text, error)}
          onChange={(text) => onChange({ ...block, text })}
        />
      )
    case 'text':
      return (
        <TextAreaField
          label={`${name}: text`}
          hideLabel
          rows={4}
          maxLength={2000}
          value={block.text}
          error={said(block.text, error)}
          onChange={(text) => onChange({ ...block, text })}
        />
      )
    case 'button':
      return (
        <FieldGrid min={170}>
          <TextField
            label="Words on it"
            maxLength={40}
            value={block.label}
            error={said(block.label, error)}
            onChange={(label) => onChange({ ...block, label })}
          />
          <SelectField
            label="Leads to"
            value={block.to}
            options={goals}
            onChange={(to) => {
              if (to) onChange({ ...block, to })
            }}
          />
          {block.to === 'url' ? (
            <TextField
              label="Address"
              placeholder="https://"
              maxLength={500}
              value={block.url}
              onChange={(url) => onChange({ ...block, url })}
            />
          ) : null}
        </FieldGrid>
      )
    case 'offer':
      return (
        <>
          <TextField
            label="The offer"
            placeholder="10 % off with code FALL"
            maxLength={80}
            value={block.title}
            error={said(block.title, error)}
            onChange={(title) => onChange({ ...block, title })}
          />
          <TextField
            label="Small words below it"
            optional
            placeholder="Until October 15"
            maxLength={200}
            value={block.note}
            error={said(block.note, undefined)}
            onChange={(note) => onChange({ ...block, note })}
          />
        </>
      )
    case 'picture':
      return <Picture {...props} block={block} />
    default:
      return null
  }
}
