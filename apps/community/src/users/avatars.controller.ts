import { ApiProblems } from '@laurel/activity/http';
import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { isId } from '../input/id.pipe';
import { avatarOf } from '../profiles/avatar';

/** Users' pictures. */
@ApiTags('users')
@Controller('avatars')
export class AvatarsController {
  @Get(':file')
  @Header('Content-Type', 'image/svg+xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=604800, immutable')
  @Header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
  @ApiOperation({ summary: "A user's picture, drawn from their id." })
  @ApiParam({ name: 'file', example: '42.svg' })
  @ApiOkResponse({ content: { 'image/svg+xml': { schema: { type: 'string' } } } })
  @ApiProblems(404)
  avatar(@Param('file') file: string): string {
    const [, id] = /^(\d+)\.svg$/.exec(file) ?? [];
    if (!isId(id)) throw new NotFoundException('There is no such picture.');
    return avatarOf(id);
  }
}
