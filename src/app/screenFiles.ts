import type { ComponentType, ReactNode } from 'react'

/** What a screen is told. The office's get the tab of their hub; the crew's put their main action into the dock. */
export type ScreenProps = { tab: string; dock: (action: ReactNode) => ReactNode }
export type ScreenFile = () => Promise<Record<string, ComponentType<ScreenProps>>>

/** Finds screen files by feature and name: `../features/jobs/web/list/JobsScreen.tsx` is `jobs/JobsScreen`. */
export const screenIndex = (files: Record<string, () => Promise<unknown>>): Map<string, ScreenFile> => {
  const index = new Map<string, ScreenFile>()
  for (const [path, load] of Object.entries(files)) {
    const match = /features\/([^/]+)\/web\/(?:.*\/)?(\w+)\.tsx$/.exec(path)
    if (match) index.set(`${match[1]}/${match[2]}`, load as ScreenFile)
  }
  return index
}
