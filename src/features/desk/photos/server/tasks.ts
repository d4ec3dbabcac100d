import { prospectTask } from '../../../../platform/tasks/prospect-task.ts'
import type { GlobalTask } from '../../../../platform/tasks/runner.ts'
import { fetchProspectPhotos, fetchProspectPhotosTask } from './commands.ts'

/** Fetches what came with a text of a lead. */
export const fetchProspectTextPhotos: GlobalTask = prospectTask(
  fetchProspectPhotosTask,
  ({ messageId, media, otherwise }) => fetchProspectPhotos(messageId, media, otherwise),
)
