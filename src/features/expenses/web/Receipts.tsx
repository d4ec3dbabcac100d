import { useEffect, useMemo, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconDownload, IconX } from '../../../ui/icons.ts'
import { toast } from '../../../ui/toast.tsx'
import { largestUpload } from '../../files/rules.ts'
import type { Expense } from '../contract.ts'
import { type Picture, pictureOf, sendPicture, useRefresh, useRemovePhoto } from './data.ts'

const Local = ({ picture, onRemove }: { picture: Picture; onRemove: () => void }) => {
  const url = useMemo(() => URL.createObjectURL(picture.file), [picture])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return (
    <li>
      <img src={url} alt={picture.file.name} />
      <IconButton size="s" label={`Leave ${picture.file.name} out`} icon={<IconX />} onClick={onRemove} />
    </li>
  )
}

/** Pictures chosen for an expense that is not saved yet; they leave with it. */
export const NewReceipts = ({
  pictures,
  onChange,
}: {
  pictures: readonly Picture[]
  onChange: (pictures: Picture[]) => void
}) => (
  <section className="exp-receipts" aria-label="Receipts">
    {pictures.length > 0 ? (
      <ul>
        {pictures.map((picture) => (
          <Local
            key={picture.id}
            picture={picture}
            onRemove={() => onChange(pictures.filter((one) => one !== picture))}
          />
        ))}
      </ul>
    ) : null}
    <FileDrop
      label="Take or drop a photo of the receipt"
      accept="image/*"
      multiple
      maxBytes={largestUpload}
      onFiles={(files) => onChange([...pictures, ...files.map(pictureOf)])}
    />
  </section>
)

/** The receipts of an expense: seen large by a press, added at once, taken off at once. */
export const Receipts = ({ expense }: { expense: Expense }) => {
  const refresh = useRefresh()
  const remove = useRemovePhoto(expense.id)
  const [sending, setSending] = useState(0)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const send = async (files: File[]) => {
    setProblem(undefined)
    setSending(files.length)
    for (const file of files) {
      try {
        refresh(await sendPicture(expense.id, pictureOf(file)))
      } catch (error) {
        setProblem(error instanceof Error ? `${file.name}: ${error.message}` : `${file.name} could not be sent.`)
      }
      setSending((left) => left - 1)
    }
  }
  const { addPhoto, update } = expense.can
  if (expense.receipts.length === 0 && !addPhoto) return null
  return (
    <section className="exp-receipts" aria-label="Receipts">
      {expense.receipts.length > 0 ? (
        <ul>
          {expense.receipts.map(({ id, url, isPdf }, at) => (
            <li key={id}>
              {isPdf ? (
                <Button size="s" icon={<IconDownload />} href={url} download={`Receipt ${expense.day}.pdf`}>
                  Receipt {at + 1}, PDF
                </Button>
              ) : (
                <a href={url} target="_blank" rel="noreferrer">
                  <img src={url} alt={`Receipt ${at + 1}`} />
                </a>
              )}
              {update ? (
                <IconButton
                  size="s"
                  label={`Remove receipt ${at + 1}`}
                  icon={<IconX />}
                  onClick={() =>
                    remove.mutateAsync(id).then(() => toast.success(`Receipt ${at + 1} removed`), toast.error)
                  }
                />
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {addPhoto ? (
        <FileDrop
          label={
            sending > 0
              ? `Sending ${sending === 1 ? 'the picture' : `${sending} pictures`}…`
              : 'Take or drop a photo of the receipt'
          }
          accept="image/*"
          multiple
          maxBytes={largestUpload}
          disabled={sending > 0}
          error={problem}
          onFiles={(files) => void send(files)}
        />
      ) : null}
    </section>
  )
}
