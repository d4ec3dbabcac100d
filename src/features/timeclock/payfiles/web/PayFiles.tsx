import { useState } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, useUser } from '../../../accounts/web/session.ts'
import { presetLabel } from '../../payroll/rules.ts'
import { type PayFile, payfilesApi } from '../contract.ts'
import type { FileNote } from '../rules.ts'
import { downloadPayFile, usePayFiles } from './data.ts'
import './payfiles.css'

const namesShown = 12

/** What the next file cannot say, before it is made. */
export const FileNotes = ({ title, notes }: { title: string; notes: readonly FileNote[] }) =>
  notes.length === 0 ? null : (
    <Banner tone="info" title={title}>
      <ul className="payfile-notes">
        {notes.map(({ text, names }) => (
          <li key={text}>
            {text}{' '}
            <b>
              {names.slice(0, namesShown).join(', ')}
              {names.length > namesShown ? ` and ${names.length - namesShown} more` : ''}
            </b>
          </li>
        ))}
      </ul>
    </Banner>
  )

type Changed = { userId: string; name: string; week: string; writtenCents: number; nowCents: number | null }

/** Weeks that were written with another pay than they have now: no file carries the difference. */
export const ChangedWeeks = ({ changed }: { changed: readonly Changed[] }) =>
  changed.length === 0 ? null : (
    <Banner tone="warn" title="Changed after the file was made">
      <ul className="payfile-notes">
        {changed.map((one) => (
          <li key={`${one.userId} ${one.week}`}>
            {one.name}, week of {formatDay(one.week)}: <Money cents={one.writtenCents} /> in the file,{' '}
            {one.nowCents === null ? 'not approved now' : <Money cents={one.nowCents} />}
          </li>
        ))}
      </ul>
      <p>They are in no second file, so that nobody is paid twice. Settle the difference in your payroll.</p>
    </Banner>
  )

/** The files of a period: each the same whenever it is downloaded. */
export const PayFiles = ({ files }: { files: readonly PayFile[] }) => {
  const may = useMay()
  const { business } = useUser()
  const { withdraw } = usePayFiles()
  const [back, setBack] = useState<PayFile | null>(null)
  if (files.length === 0) return null
  return (
    <div className="payfiles">
      <Card title="Files" hint="Each person’s week is in one file. A file stays as it was made." flush>
        <ul>
          {files.map((file) => (
            <li key={file.id}>
              <span className="payfile-what">
                <b>
                  {presetLabel[file.preset]}, {formatDay(file.from)} to {formatDay(file.to)}
                </b>
                <span className="hint">
                  {file.people === 1 ? '1 person' : `${file.people} people`} · {file.madeBy},{' '}
                  <RelativeTime at={file.madeAt} timeZone={business.timeZone} />
                </span>
              </span>
              {file.withdrawnAt ? <Badge tone="neutral">Taken back</Badge> : null}
              <Money cents={file.grossCents + file.mileageCents} />
              <Button
                size="s"
                aria-label={`Download ${file.name}`}
                onClick={() => void downloadPayFile(file).catch(toast.error)}
              >
                Download
              </Button>
              {file.withdrawnAt === null && may(payfilesApi.withdraw) ? (
                <Button size="s" kind="quiet" aria-label={`Take back ${file.name}`} onClick={() => setBack(file)}>
                  Take back
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      </Card>
      <ConfirmDialog
        open={back !== null}
        onClose={() => setBack(null)}
        title="Take the file back?"
        confirmLabel="Take it back"
        onConfirm={async () => {
          if (back) await withdraw.mutateAsync(back.id)
          toast.success('The file is taken back')
        }}
      >
        Only if it was not read into your payroll: its people are in the next file again.
      </ConfirmDialog>
    </div>
  )
}
